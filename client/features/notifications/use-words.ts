import { useTranslation } from 'react-i18next';
import type { Words } from './device.ts';

/** What the service worker says in the language of the page, which it does not know. */
export function useWords(): Words {
  const { t, i18n } = useTranslation();
  const language = i18n.language === 'es' || i18n.language === 'pt' ? i18n.language : 'en';
  return { language, unreadable: { title: t('notifications.unreadable.title'), body: t('notifications.unreadable.body') } };
}
