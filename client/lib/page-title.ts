import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

let page = document.title;
let news: string | null = null;

const show = (): void => {
  document.title = news ?? page;
};

/** The tab's title while nothing is more urgent. */
export function setPageTitle(title: string): void {
  page = title;
  show();
}

const ICON = '/favicon.svg';
const URGENT_ICON = '/favicon-urgent.svg';

/** Replaces the page's title and icon, to be seen from other tabs; null restores them. */
export function setUrgentTitle(title: string | null): void {
  news = title;
  show();
  document
    .querySelector('link[rel="icon"]')
    ?.setAttribute('href', title === null ? ICON : URGENT_ICON);
}

export function usePageTitle(title: string | null): void {
  const { t } = useTranslation();
  const full = title === null ? t('common.appName') : `${title} · ${t('common.appName')}`;
  useEffect(() => setPageTitle(full), [full]);
}
