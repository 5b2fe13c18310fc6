import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from './alert.tsx';

/** Names of the computer itself: `URL` writes every address of 127.0.0.0/8 in four parts. */
const LOCAL_HOST = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export const isLocalAddress = (url: string): boolean => LOCAL_HOST.test(new URL(url).hostname);

/** Beside a link to send: says where it opens on this computer only. */
export function LocalAddressNote({ url }: { url: string }): ReactNode {
  const { t } = useTranslation();
  return isLocalAddress(url) ? <Alert tone="accent">{t('common.localAddress')}</Alert> : null;
}
