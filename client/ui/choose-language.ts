import type { TFunction } from 'i18next';
import { changeLanguage, type Language } from '../i18n.ts';
import { reloadPage } from './reload-page.ts';
import { showToast } from './toast.tsx';

/** Shows everything in another language; where its sentences do not come, the old one stays and says so. */
export function chooseLanguage(language: Language, t: TFunction): void {
  changeLanguage(language).catch(() => showToast({ tone: 'bad', text: t('common.languageFailed'), action: reloadPage(t) }));
}
