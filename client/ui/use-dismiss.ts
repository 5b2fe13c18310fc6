import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Calls back when something open should close: a press elsewhere, Escape, or a window of another size. */
export function useDismiss(open: boolean, inside: readonly RefObject<HTMLElement | null>[], dismiss: (byKey: boolean) => void): void {
  const onPress = useEffectEvent((event: PointerEvent): void => {
    const { target } = event;
    if (target instanceof Node && !inside.some((part) => part.current?.contains(target))) dismiss(false);
  });
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // A dialog around it stays open.
    event.stopPropagation();
    dismiss(true);
  });
  const onResize = useEffectEvent(() => dismiss(false));
  useEffect(() => {
    if (!open) return;
    const pressed = (event: PointerEvent): void => onPress(event);
    const typed = (event: KeyboardEvent): void => onKey(event);
    const resized = (): void => onResize();
    document.addEventListener('pointerdown', pressed);
    document.addEventListener('keydown', typed, { capture: true });
    window.addEventListener('resize', resized);
    return () => {
      document.removeEventListener('pointerdown', pressed);
      document.removeEventListener('keydown', typed, { capture: true });
      window.removeEventListener('resize', resized);
    };
  }, [open]);
}
