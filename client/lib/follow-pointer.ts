import { useEffect, useLayoutEffect, useRef } from 'react';

interface Follower<D> {
  onMove: (drag: D, event: PointerEvent) => void;
  /** Returns true if the pointer dragged: the click that follows its release is swallowed. */
  onRelease?: (drag: D) => boolean;
  onCancel?: (drag: D) => void;
}

type PressedPointer = Pick<PointerEvent, 'pointerId' | 'pointerType' | 'isPrimary'>;
type PointerType = 'pointermove' | 'pointerup' | 'pointercancel' | 'pointerdown';

/** The primary button of a mouse, in `buttons`. */
const PRIMARY = 1;

/** The one pointer that drags on this page. */
let followed: (PressedPointer & { cancel: () => void }) | null = null;

/**
 * Follows a pressed pointer until its release, anywhere on the page, with what its press says about the drag. Escape, the browser's own
 * scrolling or zooming, a missed release, and unmounting cancel it. Another pointer neither moves, ends nor doubles the drag.
 * @returns follows a pointer; false: another one is followed
 */
export function useFollowPointer<D>(
  follower: Follower<D>,
): (pressed: PressedPointer, drag: D) => boolean {
  const latest = useRef(follower);
  useLayoutEffect(() => {
    latest.current = follower;
  });
  const cancel = useRef(() => {});
  useEffect(() => () => cancel.current(), []);
  return (pressed, drag) => {
    if (followed && !isReleaseMissed(followed, pressed)) return false;
    followed?.cancel();
    cancel.current = follow(pressed, {
      onMove: (event) => latest.current.onMove(drag, event),
      onRelease: () => latest.current.onRelease?.(drag) ?? false,
      onCancel: () => latest.current.onCancel?.(drag),
    });
    return true;
  };
}

/** Only the first of several fingers is primary: another primary pointer says that the followed one is up. */
const isReleaseMissed = (before: PressedPointer, pressed: PressedPointer): boolean =>
  before.pointerType === pressed.pointerType &&
  (pressed.isPrimary || before.pointerId === pressed.pointerId);

interface Listeners {
  onMove: (event: PointerEvent) => void;
  onRelease: () => boolean;
  onCancel: () => void;
}

/** @returns stops following, as a cancellation */
function follow(
  { pointerId, pointerType, isPrimary }: PressedPointer,
  { onMove, onRelease, onCancel }: Listeners,
): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  const stop = (): boolean => {
    if (signal.aborted) return false;
    listeners.abort();
    followed = null;
    return true;
  };
  const cancel = (): void => {
    if (stop()) onCancel();
  };
  followed = { pointerId, pointerType, isPrimary, cancel };
  const listen = (type: PointerType, listener: (event: PointerEvent) => void): void =>
    document.addEventListener(type, (event) => event.pointerId === pointerId && listener(event), {
      signal,
      capture: true,
    });
  // Released over a dialog of the system, it comes back without its button.
  const isReleased = ({ buttons }: PointerEvent): boolean =>
    pointerType === 'mouse' && (buttons & PRIMARY) === 0;
  listen('pointermove', (event) => (isReleased(event) ? cancel() : onMove(event)));
  listen('pointerup', () => {
    if (stop() && onRelease()) swallowClick();
  });
  listen('pointercancel', cancel);
  listen('pointerdown', cancel);
  document.addEventListener('keydown', (event) => event.key === 'Escape' && cancel(), { signal });
  return cancel;
}

/** A drag's release is followed by a click unless it ended on another element. */
function swallowClick(): void {
  const over = new AbortController();
  document.addEventListener(
    'click',
    (event) => {
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true, once: true, signal: over.signal },
  );
  setTimeout(() => over.abort());
}
