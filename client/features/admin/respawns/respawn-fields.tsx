import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { gifProblem } from '../../../../shared/gif.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import { code, flag } from '../../../../shared/schemas/fields.ts';
import {
  MAX_IMAGE_BYTES,
  type Respawn,
  respawnCategory,
  respawnInput,
} from '../../../../shared/schemas/respawn.ts';
import { formatLocale } from '../../../lib/time-text.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Select } from '../../../ui/fields/select.tsx';
import type { FormFields } from '../../../ui/form/fields.ts';

export interface RespawnValues {
  name: string;
  is_enabled: boolean;
  category_id: number | null;
  /** The stored picture's name, or the file that replaces it; empty: none. */
  image: string | File;
}

export const IMAGE_TYPE = '.gif';

type ImageProblem = 'notGif' | 'tooLarge' | 'gifTooLarge';

/** Why a chosen file can't be sent; null if it can. The server checks that it is a complete GIF. */
async function imageProblem(file: File): Promise<ImageProblem | null> {
  if (!file.name.toLowerCase().endsWith(IMAGE_TYPE)) return 'notGif';
  if (file.size > MAX_IMAGE_BYTES) return 'tooLarge';
  // A file that can't be read fails when it is sent.
  const bytes = await file.arrayBuffer().catch(() => null);
  return bytes && gifProblem(new Uint8Array(bytes)) === 'gifTooLarge' ? 'gifTooLarge' : null;
}

const picture = z
  .instanceof(File, code('respawn.imageRequired'))
  .superRefine(async (file, check) => {
    const problem = await imageProblem(file);
    if (problem) check.addIssue({ code: 'custom', message: `respawn.${problem}` });
  });

const fields = z.object({ name: respawnInput.shape.name, ...respawnCategory.shape });
export const newRespawn = fields.extend({ image: picture });
export type NewRespawn = z.output<typeof newRespawn>;
export const respawnEdit = fields.extend({ is_enabled: flag, image: picture.or(z.string()) });
export type RespawnRequest = z.output<typeof respawnEdit>;

const MIB = 1024 * 1024;

/** The fields of both forms; a new spot is enabled. */
export function useRespawnFields(): FormFields<Respawn, RespawnValues> {
  const { t, i18n } = useTranslation();
  const categories = useBoard((board) => board.byKind.category);
  const size = new Intl.NumberFormat(formatLocale(i18n.language), { maximumFractionDigits: 1 });
  return {
    image: {
      label: t('admin.respawns.fields.image'),
      from: ({ image }) => image,
      words: () => t('admin.respawns.otherImage'),
      invalid: (file) =>
        t('admin.respawns.tooLarge', {
          size: size.format(file instanceof File ? file.size / MIB : 0),
        }),
    },
    name: { label: t('admin.respawns.fields.name'), from: ({ name }) => name, send: tidyName },
    is_enabled: {
      label: t('admin.respawns.fields.is_enabled'),
      from: ({ is_enabled }) => is_enabled === 1,
      send: Number,
      words: (on) => t(on ? 'admin.respawns.enabled' : 'admin.respawns.disabled'),
    },
    category_id: {
      label: t('admin.respawns.fields.category_id'),
      from: ({ category_id }) => category_id,
      words: (id) => (id && categories.get(id)?.name) ?? t('admin.respawns.noCategory'),
    },
  };
}

interface CategorySelectProps {
  value: number | null;
  onChange: (category_id: number | null) => void;
  /** Its name, unless a Field around it gives one. */
  label?: string | undefined;
  /** Leaves out "no category". */
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  invalid?: boolean | undefined;
}

const NONE = 'none';

export function CategorySelect({
  value,
  onChange,
  label,
  required,
  disabled,
  invalid,
}: CategorySelectProps): ReactNode {
  const { t } = useTranslation();
  const categories = useBoard((board) => board.byKind.category);
  const options = inNameOrder(categories.values(), ({ name }) => name).map(({ id, name }) => ({
    value: String(id),
    label: name,
  }));
  const none = { value: NONE, label: t('admin.respawns.noCategory') };
  return (
    <Select
      label={label}
      value={value === null ? NONE : String(value)}
      options={required ? options : [...options, none]}
      onChange={(chosen) => onChange(chosen === NONE ? null : Number(chosen))}
      disabled={disabled}
      invalid={invalid}
    />
  );
}
