import { type DOMAttributes, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { classes } from './classes.ts';
import styles from './parts.module.css';

interface Tip {
  anchor: HTMLElement;
  text: string;
  /** Opened on request, so Escape closes it and nothing else, such as the dialog around it. */
  isHelp: boolean;
  /** Pressed, not only hovered or focused. */
  isPressed: boolean;
}

// One tooltip for the whole page instead of Radix: the board shows a thousand hours with tooltips, and each gets five handlers and no state.
let tip: Tip | null = null;
const listeners = new Set<() => void>();

function setTip(next: Tip | null): void {
  if (tip === next) return;
  if (tip?.anchor !== next?.anchor) {
    if (tip) describe(tip.anchor, false);
    if (next) describe(next.anchor, true);
  }
  tip = next;
  for (const listener of listeners) listener();
}

/** Beside the anchor's own descriptions. */
function describe(anchor: HTMLElement, isDescribed: boolean): void {
  const ids = (anchor.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((id) => id !== '' && id !== TIP_ID);
  if (isDescribed) ids.push(TIP_ID);
  if (ids.length > 0) anchor.setAttribute('aria-describedby', ids.join(' '));
  else anchor.removeAttribute('aria-describedby');
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const TIP_ID = 'tip';
const GAP = 6;
const EDGE = 8;

/** Hides the tooltip early, when its text is no longer true. */
export const hideTip = (): void => setTip(null);

type TipHandlers = Pick<
  DOMAttributes<HTMLElement>,
  'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur' | 'onClick'
>;

/** Handlers that show a tooltip on hover, focus or tap. Pass a function to compute the text only then. */
export function useTip(text: string | (() => string), isHelp = false): TipHandlers {
  const wasPressed = (anchor: HTMLElement): boolean => tip?.anchor === anchor && tip.isPressed;
  const show = (anchor: HTMLElement, isPressed = wasPressed(anchor)): void => {
    // Beside its open menu it would be in the way.
    const isBesideMenu = anchor.ariaExpanded === 'true' && anchor.ariaHasPopup === 'menu';
    if (!isBesideMenu)
      setTip({ anchor, text: typeof text === 'string' ? text : text(), isHelp, isPressed });
  };
  return {
    onPointerEnter: (event) => event.pointerType === 'mouse' && show(event.currentTarget),
    onPointerLeave: (event) => event.pointerType === 'mouse' && leave(event),
    onFocus: (event) => event.currentTarget.matches(':focus-visible') && show(event.currentTarget),
    onBlur: hideTip,
    onClick: ({ currentTarget }) =>
      isHelp && wasPressed(currentTarget) ? hideTip() : show(currentTarget, true),
  };
}

/** The tooltip that the pointer has moved onto from its anchor. */
let tipUnderPointer: Tip | null = null;

function leave(event: { clientX: number; clientY: number }): void {
  if (isOverTip(event)) tipUnderPointer = tip;
  else hideTip();
}

/**
 * Whether the pointer is on the tooltip, or in the gap between it and its anchor: it must stay then (WCAG 1.4.13). It takes no events
 * unless it is help, so that the hours below it can still be pressed.
 */
function isOverTip({ clientX, clientY }: { clientX: number; clientY: number }): boolean {
  const box = document.getElementById(TIP_ID)?.getBoundingClientRect();
  const around = tip?.anchor.getBoundingClientRect();
  if (!box || !around || box.height === 0) return false;
  const [top, bottom] = box.top < around.top ? [box.top, around.top] : [around.bottom, box.bottom];
  return clientX >= box.left && clientX <= box.right && clientY >= top && clientY <= bottom;
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

/** Renders the tooltip above its anchor, or below it if there is no room. */
export function TooltipHost(): ReactNode {
  const current = useSyncExternalStore(subscribe, () => tip);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!current || !element) return;
    // The top layer is above dialogs and is not clipped.
    element.showPopover?.();
    placeAbove(element, current.anchor);
    const onScroll = (): void => {
      // Keyboard focus scrolls its target into view: keep that tooltip. Otherwise the pointer has left the anchor.
      if (document.activeElement === current.anchor && isInView(current.anchor))
        placeAbove(element, current.anchor);
      else hideTip();
    };
    // No pointer or focus event fires when a live change removes the anchor.
    const watching = new MutationObserver(() => {
      if (!current.anchor.isConnected) hideTip();
    });
    watching.observe(document.body, { childList: true, subtree: true });
    // Nor when it changes, such as an hour that was just claimed: the text is outdated.
    const renaming = new MutationObserver(hideTip);
    renaming.observe(current.anchor, {
      attributes: true,
      attributeFilter: ['aria-label', 'aria-disabled'],
    });
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      hideTip();
      if (!current.isHelp) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onPress = (event: PointerEvent): void => {
      if (
        event.target instanceof Node &&
        !current.anchor.contains(event.target) &&
        !element.contains(event.target)
      )
        hideTip();
    };
    const onMove = (event: PointerEvent): void => {
      if (current === tipUnderPointer && !isOverTip(event)) hideTip();
    };
    // Capture: a dialog that opens may stop the events. The window hears keys before a dialog, which listens on the document.
    window.addEventListener('keydown', onKey, { capture: true });
    document.addEventListener('pointerdown', onPress, { capture: true });
    document.addEventListener('pointermove', onMove, { capture: true, passive: true });
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => {
      watching.disconnect();
      renaming.disconnect();
      window.removeEventListener('keydown', onKey, { capture: true });
      document.removeEventListener('pointerdown', onPress, { capture: true });
      document.removeEventListener('pointermove', onMove, { capture: true });
      document.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [current]);
  if (!current) return null;
  return (
    <div
      ref={box}
      id={TIP_ID}
      role="tooltip"
      popover="manual"
      className={classes(styles.tip, current.isHelp && styles.help)}
    >
      {current.text}
    </div>
  );
}
