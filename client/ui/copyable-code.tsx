import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './button.tsx';
import styles from './copyable-code.module.css';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { Cluster } from './layout.tsx';
import { showToast } from './toast.tsx';

/** A key or code, to be read letter by letter, with a button that copies it. */
export function CopyableCode({ text, copyLabel }: { text: string; copyLabel: string }): ReactNode {
  return (
    <span className={styles.box}>
      <code className={styles.code}>{text}</code>
      <CopyButton text={text} label={copyLabel} />
    </span>
  );
}

/** A code or a key in large letters, to be copied with one press, which is confirmed for two seconds. */
export function CopyBox({ text, label }: { text: string; label: string }): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <Cluster gap={3} justify="space-between" className={styles.large}>
      <code className={styles.text}>{text}</code>
      <Button onClick={copy} className={styles.copy}>
        {copied ? <CheckIcon /> : <CopyIcon />}
        {copied ? t('shell.profile.copied') : label}
      </Button>
      <span role="status" className="visually-hidden">
        {copied ? t('shell.profile.copied') : null}
      </span>
    </Cluster>
  );
}

/** Copies a text and says so for two seconds. */
function CopyButton({ text, label }: { text: string; label: string }): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <>
      <IconButton
        small
        label={copied ? t('shell.profile.copied') : label}
        icon={copied ? <CheckIcon /> : <CopyIcon />}
        onClick={copy}
      />
      <span role="status" className="visually-hidden">
        {copied ? t('shell.profile.copied') : null}
      </span>
    </>
  );
}

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

/**
 * Puts a text on the clipboard. Where the page is not served over https the clipboard is closed to it,
 * and the browser's old copy command serves.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!copied) throw new Error('The copy command was refused');
}
