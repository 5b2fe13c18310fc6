import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { gifProblem } from '../../../../shared/gif.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import { MAX_IMAGE_BYTES, type Respawn, type RespawnChange } from '../../../../shared/schemas/respawn.ts';
import { formatLocale } from '../../../lib/time-text.ts';

/** A respawn as its row holds it while it is edited. */
export interface RespawnValues {
  name: string;
  is_enabled: boolean;
  category_id: number | null;
  /** The stored picture's name, or the file that shall replace it. */
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
export function differingFields(before: RespawnValues, after: RespawnValues): (keyof RespawnValues)[] {
  return RESPAWN_FIELDS.filter((field) =>
    field === 'name' ? tidyName(before.name) !== tidyName(after.name) : before[field] !== after[field],
  );
}

/** What of the name and the flag has to be sent; nothing where neither was changed. */
export function changeOf(stored: Respawn, values: RespawnValues): RespawnChange | null {
  const changed = differingFields(valuesOf(stored), values);
  const change: RespawnChange = {};
  if (changed.includes('name')) change.name = tidyName(values.name);
  if (changed.includes('is_enabled')) change.is_enabled = values.is_enabled ? 1 : 0;
  return Object.keys(change).length > 0 ? change : null;
}

export const IMAGE_TYPE = '.gif';

type ImageProblem = 'notGif' | 'tooLarge' | 'gifTooLarge';

/** Why a chosen file is not worth sending; null when it is. Whether it is a whole GIF is left to the server to say. */
export async function imageProblem(file: File): Promise<ImageProblem | null> {
  if (!file.name.toLowerCase().endsWith(IMAGE_TYPE)) return 'notGif';
  if (file.size > MAX_IMAGE_BYTES) return 'tooLarge';
  // One that cannot be read any more cannot be sent either, and then says so.
  const bytes = await file.arrayBuffer().catch(() => null);
  return bytes && gifProblem(new Uint8Array(bytes)) === 'gifTooLarge' ? 'gifTooLarge' : null;
}

const MIB = 1024 * 1024;

/** Says what is wrong with a chosen picture. */
export function useImageProblemText(): (problem: ImageProblem, file: File) => string {
  const { t, i18n } = useTranslation();
  const size = new Intl.NumberFormat(formatLocale(i18n.language), { maximumFractionDigits: 1 });
  return (problem, file) =>
    problem === 'tooLarge' ? t('admin.respawns.tooLarge', { size: size.format(file.size / MIB) }) : t(`errors.respawn.${problem}`);
}

/** What is wrong with the picture that is chosen, in words; null while it is looked at, and when it may be sent. */
export function useImageProblem(file: File | null): string | null {
  const text = useImageProblemText();
  const [found, setFound] = useState<{ file: File; problem: ImageProblem | null } | null>(null);
  useEffect(() => {
    if (!file) return;
    let chosen = true;
    void imageProblem(file).then((problem) => {
      if (chosen) setFound({ file, problem });
    });
    return () => {
      chosen = false;
    };
  }, [file]);
  return found?.problem && found.file === file ? text(found.problem, found.file) : null;
}
