import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { setPageTitle } from './page-title.ts';

/** Names the page in the browser's tab. */
export function usePageTitle(title: string | null): void {
  const { t } = useTranslation();
  const full = title === null ? t('common.appName') : `${title} · ${t('common.appName')}`;
  useEffect(() => setPageTitle(full), [full]);
}
