const GAP = 6;
const EDGE = 8;

/** Puts a box in fixed position below an anchor, or above it where there is more room, and keeps it on the screen. */
export function placeBeside(box: HTMLElement, anchor: HTMLElement, align: 'start' | 'end'): void {
  const around = anchor.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = clientHeight - around.bottom - GAP - EDGE;
  const above = around.top - GAP - EDGE;
  const { width, height } = box.getBoundingClientRect();
  const isBelow = below >= height || below >= above;
  const left = align === 'end' ? around.right - width : around.left;
  box.style.left = `${Math.max(EDGE, Math.min(left, clientWidth - width - EDGE))}px`;
  box.style.maxHeight = `${isBelow ? below : above}px`;
  box.style.top = `${isBelow ? around.bottom + GAP : around.top - GAP - Math.min(height, above)}px`;
}
