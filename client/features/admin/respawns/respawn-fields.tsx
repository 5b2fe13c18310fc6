import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { gifProblem } from '../../../../shared/gif.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import {
  MAX_IMAGE_BYTES,
  type Respawn,
  type RespawnChange,
} from '../../../../shared/schemas/respawn.ts';
import { formatLocale } from '../../../lib/time-text.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Select } from '../../../ui/fields/select.tsx';

/** A respawn's editable fields. */
export interface RespawnValues {
  name: string;
  is_enabled: boolean;
  category_id: number | null;
  /** The stored picture's name, or the file that replaces it. */
  image: string | File;
}
const RESPAWN_FIELDS = ['image', 'name', 'is_enabled', 'category_id'] as const;

export const valuesOf = ({ name, is_enabled, category_id, image }: Respawn): RespawnValues => ({
  name,
  is_enabled: is_enabled === 1,
  category_id,
  image,
});

/** The fields in which two versions differ. */
export function differingFields(
  before: RespawnValues,
  after: RespawnValues,
): (keyof RespawnValues)[] {
  return RESPAWN_FIELDS.filter((field) =>
    field === 'name'
      ? tidyName(before.name) !== tidyName(after.name)
      : before[field] !== after[field],
  );
}

/** The changed name and flag; null if neither changed. */
export function changeOf(stored: Respawn, values: RespawnValues): RespawnChange | null {
  const changed = differingFields(valuesOf(stored), values);
  const change: RespawnChange = {};
  if (changed.includes('name')) change.name = tidyName(values.name);
  if (changed.includes('is_enabled')) change.is_enabled = values.is_enabled ? 1 : 0;
  return Object.keys(change).length > 0 ? change : null;
}

export const IMAGE_TYPE = '.gif';

type ImageProblem = 'notGif' | 'tooLarge' | 'gifTooLarge';

/** Why a chosen file can't be sent; null if it can. The server checks that it is a complete GIF. */
export async function imageProblem(file: File): Promise<ImageProblem | null> {
  if (!file.name.toLowerCase().endsWith(IMAGE_TYPE)) return 'notGif';
  if (file.size > MAX_IMAGE_BYTES) return 'tooLarge';
  // A file that can't be read fails when it is sent.
  const bytes = await file.arrayBuffer().catch(() => null);
  return bytes && gifProblem(new Uint8Array(bytes)) === 'gifTooLarge' ? 'gifTooLarge' : null;
}

const MIB = 1024 * 1024;

export function useImageProblemText(): (problem: ImageProblem, file: File) => string {
  const { t, i18n } = useTranslation();
  const size = new Intl.NumberFormat(formatLocale(i18n.language), { maximumFractionDigits: 1 });
  return (problem, file) =>
    problem === 'tooLarge'
      ? t('admin.respawns.tooLarge', { size: size.format(file.size / MIB) })
      : t(`errors.respawn.${problem}`);
}

interface CategorySelectProps {
  /** null: no category. */
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
