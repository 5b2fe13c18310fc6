import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
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
  detail: string | null;
  actions: readonly ToastAction[];
  /** Until the user dismisses it. */
  stays: boolean;
  /** How many alike messages it stands for. */
  times: number;
}

export interface ToastAction {
  label: string;
  onPress: () => void;
  /** The message stays when it is pressed: its other actions remain within reach after a mis-tap. */
  stays?: boolean;
}

const SHOWN_MS = 5000;
const SHOWN_WITH_ACTION_MS = 10_000;
/** The oldest messages of a kind are dropped beyond this many. */
const MAX_KEPT = 10;

// Not Radix: its toast would have to be in the first load. This is small, and its live regions exist before the first message.
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

/** Shows a short message; failures until they are dismissed. Use an Alert for anything that belongs to a place on the page. */
export function showToast({
  tone = 'good',
  text,
  detail = null,
  action = null,
  actions = action ? [action] : [],
  stays = tone === 'bad',
}: NewToast): void {
  lastId += 1;
  const alike = toasts.find(
    (other) =>
      typeof text === 'string' &&
      other.text === text &&
      other.detail === detail &&
      other.tone === tone,
  );
  const toast = { id: lastId, tone, text, detail, actions, stays, times: (alike?.times ?? 0) + 1 };
  const isReplaced = (other: Toast): boolean =>
    other === alike || (kindOf(toast) === 'passing' && kindOf(other) === 'passing');
  const others = toasts.filter((other) => !isReplaced(other));
  const sameKind = others.filter((other) => kindOf(other) === kindOf(toast));
  const dropped = sameKind.slice(0, Math.max(0, sameKind.length + 1 - MAX_KEPT));
  setToasts([...others.filter((other) => !dropped.includes(other)), toast]);
}

interface NewToast {
  tone?: Tone;
  text: ReactNode;
  /** A line of its own below the text, such as the reason of a failure. */
  detail?: string | null;
  action?: ToastAction | null;
  actions?: readonly ToastAction[];
  stays?: boolean;
}

/** One message of each kind is visible, the newest; a passing one replaces the previous one, others return when it is gone. */
const kindOf = ({ stays, actions }: Toast): 'staying' | 'acting' | 'passing' =>
  stays ? 'staying' : actions.length > 0 ? 'acting' : 'passing';

const dismiss = (id: number): void => setToasts(toasts.filter((toast) => toast.id !== id));

export function ToastHost(): ReactNode {
  const { t } = useTranslation();
  const all = useSyncExternalStore(subscribe, () => toasts);
  const boxes = (some: readonly Toast[]): ReactNode =>
    some.map((toast) => {
      const newer = all.filter((other) => kindOf(other) === kindOf(toast) && other.id > toast.id);
      const older = all.filter((other) => kindOf(other) === kindOf(toast) && other.id < toast.id);
      return (
        <ToastBox key={toast.id} toast={toast} isBehind={newer.length > 0} behind={older.length} />
      );
    });
  return (
    <section aria-label={t('common.messages')} className={styles.host}>
      <div aria-live="polite">{boxes(all.filter(({ tone }) => tone !== 'bad'))}</div>
      <div aria-live="assertive">{boxes(all.filter(({ tone }) => tone === 'bad'))}</div>
    </section>
  );
}

interface ToastBoxProps {
  toast: Toast;
  /** A newer one is in its place; only screen readers get it. */
  isBehind: boolean;
  behind: number;
}

function ToastBox({
  toast: { id, tone, text, detail, actions, stays, times },
  isBehind,
  behind,
}: ToastBoxProps): ReactNode {
  const { t } = useTranslation();
  const [held, setHeld] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const hasActions = actions.length > 0;
  const isHeld = held && !isBehind;
  useEffect(() => {
    if (isHeld || stays) return;
    const timer = setTimeout(() => dismiss(id), hasActions ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, isHeld, stays, hasActions]);
  /** Its buttons go; the focus must not be lost with them. */
  const leave = (): void => {
    if (box.current?.contains(document.activeElement))
      document.querySelector('main')?.focus({ preventScroll: true });
    dismiss(id);
  };
  const lines =
    detail === null ? (
      text
    ) : (
      <>
        <p>{text}</p>
        <p>{detail}</p>
      </>
    );
  if (isBehind) return <div className="visually-hidden">{lines}</div>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only keep it from disappearing
    <div
      ref={box}
      className={classes(styles.toast, tone !== 'plain' && styles[tone])}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={styles.text}>{lines}</div>
      {times > 1 ? <span className={styles.count}>×{times}</span> : null}
      {behind > 0 ? (
        <span className={styles.count}>{t('common.moreMessages', { n: behind })}</span>
      ) : null}
      {hasActions ? (
        <div className={styles.actions}>
          {actions.map(({ label, onPress, stays: toastStays = false }) => (
            <Button
              key={label}
              small
              onClick={() => {
                if (!toastStays) leave();
                onPress();
              }}
            >
              {label}
            </Button>
          ))}
        </div>
      ) : null}
      <IconButton
        small
        label={t('common.dismiss')}
        icon={<CloseIcon size={14} />}
        onClick={leave}
      />
    </div>
  );
}
