/** A pressed pointer whose moves are followed. */
export interface FollowedPointer {
  /** false after its release or a cancellation. */
  readonly isPressed: boolean;
  /** Stops following; calls `onCancel` if the pointer is still pressed. */
  cancel: () => void;
}

interface PointerFollower {
  onMove: (event: PointerEvent) => void;
  onRelease: () => void;
  onCancel: () => void;
}

type PointerType = 'pointermove' | 'pointerup' | 'pointercancel' | 'pointerdown';

/** The primary button of a mouse, or the contact of a finger or pen, in `buttons`. */
const PRIMARY = 1;

/**
 * Follows one pressed pointer until its release, anywhere on the page; other fingers are ignored. Escape, the browser's own
 * scrolling or zooming, and a missed release cancel it.
 */
export function followPointer(
  { pointerId }: Pick<PointerEvent, 'pointerId'>,
  { onMove, onRelease, onCancel }: PointerFollower,
): FollowedPointer {
  const listeners = new AbortController();
  const { signal } = listeners;
  const cancel = (): void => {
    if (signal.aborted) return;
    listeners.abort();
    onCancel();
  };
  const listen = (type: PointerType, listener: (event: PointerEvent) => void): void =>
    document.addEventListener(type, (event) => event.pointerId === pointerId && listener(event), {
      signal,
      capture: true,
    });
  // A mouse released over a dialog of the system comes back without its button.
  listen('pointermove', (event) => ((event.buttons & PRIMARY) === 0 ? cancel() : onMove(event)));
  listen('pointerup', () => {
    listeners.abort();
    onRelease();
  });
  listen('pointercancel', cancel);
  listen('pointerdown', cancel);
  document.addEventListener('keydown', (event) => event.key === 'Escape' && cancel(), { signal });
  return {
    get isPressed() {
      return !signal.aborted;
    },
    cancel,
  };
}
