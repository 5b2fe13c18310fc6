import { useTranslation } from 'react-i18next';
import { formatLocale } from '../../../lib/format-locale.ts';
import { imageProblem } from './respawn-values.ts';

const MIB = 1024 * 1024;

/** Says what is wrong with a chosen picture; null when it may be sent. */
export function useImageProblem(): (file: File) => string | null {
  const { t, i18n } = useTranslation();
  const size = new Intl.NumberFormat(formatLocale(i18n.language), { maximumFractionDigits: 1 });
  return (file) => {
    const problem = imageProblem(file);
    if (problem === 'notGif') return t('errors.respawn.notGif');
    return problem === 'tooLarge' ? t('admin.respawns.tooLarge', { size: size.format(file.size / MIB) }) : null;
  };
}
