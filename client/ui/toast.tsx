import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { Tone } from './alert.tsx';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { CloseIcon } from './icons.tsx';
import styles from './toast.module.css';

interface Toast {
  id: number;
  tone: Tone;
  text: string;
}

const SHOWN_MS = 5000;
const MOST_AT_ONCE = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Says what came of something, for five seconds. What must not be missed belongs into an Alert. */
export function showToast({ tone = 'good', text }: { tone?: Tone; text: string }): void {
  lastId += 1;
  setToasts([...toasts, { id: lastId, tone, text }].slice(-MOST_AT_ONCE));
}

const dismiss = (id: number): void => setToasts(toasts.filter((toast) => toast.id !== id));

export function ToastHost(): ReactNode {
  const { t } = useTranslation();
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section aria-label={t('common.messages')} aria-live="polite" className={styles.host}>
      {shown.map((toast) => (
        <ToastBox key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastBox({ toast: { id, tone, text } }: { toast: Toast }): ReactNode {
  const { t } = useTranslation();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, held]);
  return (
    <div
      className={classes(styles.toast, tone !== 'plain' && styles[tone])}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <p>{text}</p>
      <IconButton small label={t('common.dismiss')} icon={<CloseIcon size={14} />} onClick={() => dismiss(id)} />
    </div>
  );
}
