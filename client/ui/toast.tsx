import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { Tone } from './alert.tsx';
import { Button, IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { CloseIcon } from './icons.tsx';
import styles from './toast.module.css';

interface Toast {
  id: number;
  tone: Tone;
  text: ReactNode;
  actions: readonly ToastAction[];
  /** Until the user dismisses it. */
  stays: boolean;
}

export interface ToastAction {
  label: string;
  onPress: () => void;
  /** The message stays when it is pressed: its other actions remain within reach after a mis-tap. */
  stays?: boolean;
}

const SHOWN_MS = 5000;
const SHOWN_WITH_ACTION_MS = 10_000;
const MAX_SHOWN = 3;

// Not Radix: its toast would have to be in the first load. This is small, and its live region exists before the first message.
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

/** Shows a short message. Use an Alert for anything the user must not miss. */
export function showToast({ tone = 'good', text, action = null, actions = action ? [action] : [], stays = false }: NewToast): void {
  lastId += 1;
  const all = [...toasts, { id: lastId, tone, text, actions, stays }];
  // A timed toast never pushes out one that must be dismissed.
  const passing = all.filter((toast) => !toast.stays).slice(-MAX_SHOWN);
  const staying = all.filter((toast) => toast.stays).slice(-MAX_SHOWN);
  setToasts(all.filter((toast) => passing.includes(toast) || staying.includes(toast)));
}

interface NewToast {
  tone?: Tone;
  text: ReactNode;
  action?: ToastAction | null;
  /** Several, in place of `action`. */
  actions?: readonly ToastAction[];
  stays?: boolean;
}

const dismiss = (id: number): void => setToasts(toasts.filter((toast) => toast.id !== id));

export function ToastHost(): ReactNode {
  const { t } = useTranslation();
  const visibleToasts = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section aria-label={t('common.messages')} aria-live="polite" className={styles.host}>
      {visibleToasts.map((toast) => (
        <ToastBox key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastBox({ toast: { id, tone, text, actions, stays } }: { toast: Toast }): ReactNode {
  const { t } = useTranslation();
  const [held, setHeld] = useState(false);
  const hasActions = actions.length > 0;
  useEffect(() => {
    if (held || stays) return;
    const timer = setTimeout(() => dismiss(id), hasActions ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, held, stays, hasActions]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only keep it from disappearing
    <div
      className={classes(styles.toast, tone !== 'plain' && styles[tone])}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={styles.text}>{text}</div>
      {hasActions ? (
        <div className={styles.actions}>
          {actions.map(({ label, onPress, stays: toastStays = false }) => (
            <Button
              key={label}
              small
              onClick={() => {
                if (!toastStays) {
                  // Its button goes; the focus must not be lost with it.
                  document.querySelector('main')?.focus({ preventScroll: true });
                  dismiss(id);
                }
                onPress();
              }}
            >
              {label}
            </Button>
          ))}
        </div>
      ) : null}
      <IconButton small label={t('common.dismiss')} icon={<CloseIcon size={14} />} onClick={() => dismiss(id)} />
    </div>
  );
}
