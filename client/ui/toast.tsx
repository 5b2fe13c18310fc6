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
  text: string;
  actions: readonly ToastAction[];
  /** Until it is dismissed. */
  stays: boolean;
}

/** A way to take back what was just done, or to go on from it. */
export interface ToastAction {
  label: string;
  onPress: () => void;
}

const SHOWN_MS = 5000;
/** Whoever has to decide something gets more time. */
const SHOWN_WITH_ACTION_MS = 10_000;
const MOST_AT_ONCE = 3;

// By hand, and small: a polite region that stands before anything is said in it. A Radix toast takes the focus by F8, swipes,
// portals its announcements and has to be there when the first message comes: nothing of it could be fetched later.
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

/** Says what came of something, for five seconds, or ten with an action. What must not be missed belongs into an Alert. */
export function showToast({ tone = 'good', text, action = null, actions = action ? [action] : [], stays = false }: NewToast): void {
  lastId += 1;
  const all = [...toasts, { id: lastId, tone, text, actions, stays }];
  // A timed toast never pushes out one that must be dismissed.
  const passing = all.filter((toast) => !toast.stays).slice(-MOST_AT_ONCE);
  const staying = all.filter((toast) => toast.stays).slice(-MOST_AT_ONCE);
  setToasts(all.filter((toast) => passing.includes(toast) || staying.includes(toast)));
}

interface NewToast {
  tone?: Tone;
  text: string;
  action?: ToastAction | null;
  /** Instead of one. */
  actions?: readonly ToastAction[];
  /** It stays until it is dismissed. */
  stays?: boolean;
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
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stays while somebody is at it
    <div
      className={classes(styles.toast, tone !== 'plain' && styles[tone])}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p>{text}</p>
      {hasActions ? (
        <div className={styles.actions}>
          {actions.map(({ label, onPress }) => (
            <Button
              key={label}
              small
              onClick={() => {
                // Its button goes; the focus must not be lost with it.
                document.querySelector('main')?.focus({ preventScroll: true });
                dismiss(id);
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
