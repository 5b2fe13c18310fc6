import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from './copy-text.ts';
import { showToast } from './toast.tsx';

/** Section 9 of the specification: how long a copy is confirmed, in milliseconds. */
const CONFIRMED_MS = 2000;

/** Copies a text; `copied` says so for two seconds, and a toast when it could not be done. */
export function useCopy(text: string): { copied: boolean; copy: () => void } {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => {
    copyText(text).then(
      () => setCopied(true),
      () => showToast({ tone: 'bad', text: t('shell.profile.copyFailed') }),
    );
  };
  return { copied, copy };
}
