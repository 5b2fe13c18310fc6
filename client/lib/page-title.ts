import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

let page = document.title;
let news: string | null = null;

const show = (): void => {
  document.title = news ?? page;
};

/** What the page is called in the browser's tab, as long as nothing is more urgent. */
export function setPageTitle(title: string): void {
  page = title;
  show();
}

const ICON = '/favicon.svg';
const URGENT_ICON = '/favicon-urgent.svg';

/** Instead of the page's title, and with an icon of its own: seen also by somebody who is in another tab. null: no more. */
export function setUrgentTitle(title: string | null): void {
  news = title;
  show();
  document.querySelector('link[rel="icon"]')?.setAttribute('href', title === null ? ICON : URGENT_ICON);
}

/** Names the page in the browser's tab. */
export function usePageTitle(title: string | null): void {
  const { t } = useTranslation();
  const full = title === null ? t('common.appName') : `${title} · ${t('common.appName')}`;
  useEffect(() => setPageTitle(full), [full]);
}
