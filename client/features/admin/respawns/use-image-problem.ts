import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatLocale } from '../../../lib/format-locale.ts';
import { type ImageProblem, imageProblem } from './respawn-values.ts';

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
