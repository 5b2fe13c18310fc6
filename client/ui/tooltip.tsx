import { type DOMAttributes, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import styles from './tooltip.module.css';

interface Tip {
  anchor: HTMLElement;
  text: string;
}

// One tooltip for the whole page, by hand: a board shows a thousand hours, and each may have one. A Radix tooltip would be a
// root, a trigger and a dozen hooks for each of them; here an hour has five handlers and no state.
let tip: Tip | null = null;
const listeners = new Set<() => void>();

function setTip(next: Tip | null): void {
  if (tip === next) return;
  tip?.anchor.removeAttribute('aria-describedby');
  tip = next;
  next?.anchor.setAttribute('aria-describedby', TIP_ID);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const TIP_ID = 'tip';
const GAP = 6;
const EDGE = 8;

/** Takes the text away before anybody leaves what it is about: something else is said there now. */
export const hideTip = (): void => setTip(null);

/** The handlers that show a text on hover, focus or tap. A function is asked only when the text is wanted. */
export function useTip(
  text: string | (() => string),
): Pick<DOMAttributes<HTMLElement>, 'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur' | 'onClick'> {
  const show = (anchor: HTMLElement): void => setTip({ anchor, text: typeof text === 'string' ? text : text() });
  return {
    onPointerEnter: (event) => event.pointerType === 'mouse' && show(event.currentTarget),
    onPointerLeave: (event) => event.pointerType === 'mouse' && hideTip(),
    onFocus: (event) => event.currentTarget.matches(':focus-visible') && show(event.currentTarget),
    onBlur: hideTip,
    onClick: (event) => show(event.currentTarget),
  };
}

function placeAbove(element: HTMLElement, anchor: HTMLElement): void {
  const around = anchor.getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  const above = around.top - height - GAP;
  const left = around.left + around.width / 2 - width / 2;
  element.style.top = `${above > EDGE ? above : around.bottom + GAP}px`;
  element.style.left = `${Math.max(EDGE, Math.min(left, document.documentElement.clientWidth - width - EDGE))}px`;
}

function isInView(anchor: HTMLElement): boolean {
  const { top, bottom } = anchor.getBoundingClientRect();
  return bottom > 0 && top < document.documentElement.clientHeight;
}

/** Where the tooltip is drawn: above its anchor, or below it where there is no room. */
export function TooltipHost(): ReactNode {
  const current = useSyncExternalStore(subscribe, () => tip);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!current || !element) return;
    // In the top layer it lies above dialogs, and nothing clips it.
    element.showPopover?.();
    placeAbove(element, current.anchor);
    const onScroll = (): void => {
      // The keyboard scrolls to what it reaches: its tooltip goes along. The pointer is elsewhere afterwards.
      if (document.activeElement === current.anchor && isInView(current.anchor)) placeAbove(element, current.anchor);
      else hideTip();
    };
    // A live change may take away what it is about, and no pointer or focus leaves it then.
    const watching = new MutationObserver(() => {
      if (!current.anchor.isConnected) hideTip();
    });
    watching.observe(document.body, { childList: true, subtree: true });
    // Nor does it where it becomes something else, as an hour that has just been taken: what the text says is no longer true.
    const renaming = new MutationObserver(hideTip);
    renaming.observe(current.anchor, { attributes: true, attributeFilter: ['aria-label', 'aria-disabled'] });
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') hideTip();
    };
    const onPress = (event: PointerEvent): void => {
      if (event.target instanceof Node && !current.anchor.contains(event.target)) hideTip();
    };
    // Before anything that stops them on their way, such as a dialog that opens.
    document.addEventListener('keydown', onKey, { capture: true });
    document.addEventListener('pointerdown', onPress, { capture: true });
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => {
      watching.disconnect();
      renaming.disconnect();
      document.removeEventListener('keydown', onKey, { capture: true });
      document.removeEventListener('pointerdown', onPress, { capture: true });
      document.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [current]);
  if (!current) return null;
  return (
    <div ref={box} id={TIP_ID} role="tooltip" popover="manual" className={styles.tip}>
      {current.text}
    </div>
  );
}
