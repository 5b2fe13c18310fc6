import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './button.tsx';
import { copyText } from './copy-text.ts';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { showToast } from './toast.tsx';

/** Section 9 of the specification. */
const CONFIRMED_MS = 2000;

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, label }: { text: string; label: string }): ReactNode {
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
  return (
    <>
      <IconButton small label={copied ? t('shell.profile.copied') : label} icon={copied ? <CheckIcon /> : <CopyIcon />} onClick={copy} />
      <span role="status" className="visually-hidden">
        {copied ? t('shell.profile.copied') : null}
      </span>
    </>
  );
}
