import type { TFunction } from 'i18next';
import { changeLanguage, type Language } from '../i18n.ts';
import { reloadPage } from './reload-page.ts';
import { showToast } from './toast.tsx';

/** Switches the language, or shows an error in the current one if it can't be loaded. */
export function chooseLanguage(language: Language, t: TFunction): void {
  changeLanguage(language).catch(() =>
    showToast({ tone: 'bad', text: t('common.languageFailed'), action: reloadPage(t) }),
  );
}
