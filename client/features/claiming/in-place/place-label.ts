const GAP = 6;
const EDGE = 8;

/**
 * Puts a label beside hours, so that it does not cover the name of their spot: above a row of the timeline; below a card's strip, or
 * above the card where there is no room or a finger is below.
 * @param box the row or strip of the hours
 * @param hours where they are on the screen
 */
export function placeLabel(
  label: HTMLElement,
  box: Element,
  hours: DOMRect,
  isTouch: boolean,
): void {
  const { width, height } = label.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isInRow = box.closest('[role="row"]') !== null;
  const above =
    (isInRow ? hours : (box.closest('[data-spot]') ?? box).getBoundingClientRect()).top -
    height -
    GAP;
  const below = hours.bottom + GAP;
  const isBelow = above <= EDGE || (!isInRow && !isTouch && below + height < clientHeight - EDGE);
  const left = hours.left + hours.width / 2 - width / 2;
  label.style.top = `${isBelow ? below : above}px`;
  label.style.left = `${Math.max(EDGE, Math.min(left, clientWidth - width - EDGE))}px`;
}
