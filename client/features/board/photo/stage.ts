import styles from './photo.module.css';

/**
 * A copy of a section, laid out for a picture and out of sight: on every screen the picture is the same, and the page does
 * not move while it is taken. What is marked `data-not-in-picture` stays
 * behind. The caller removes it.
 */
export function stage(section: Element): HTMLElement {
  const host = document.createElement('div');
  host.className = styles.stage ?? '';
  host.inert = true;
  host.setAttribute('aria-hidden', 'true');
  host.append(section.cloneNode(true));
  for (const left of host.querySelectorAll('[data-not-in-picture], .visually-hidden, svg')) left.remove();
  for (const named of host.querySelectorAll('[id]')) named.removeAttribute('id');
  host.style.setProperty('--columns', String(pictureColumns(host.querySelectorAll('article').length)));
  document.body.append(host);
  return host;
}

/** As sharp as on the screens that show two pixels for one. */
const SCALE = 2;
/** Browsers draw nothing, or throw, beyond these; the area is what a tablet allows, the strictest of them. */
const MOST_PIXELS_A_SIDE = 16_000;
const MOST_PIXELS = 16_000_000;

/** Canvas pixels for each pixel of the page: less than two where the picture would grow too large. */
export function pictureScale(width: number, height: number): number {
  return Math.min(SCALE, MOST_PIXELS_A_SIDE / width, MOST_PIXELS_A_SIDE / height, Math.sqrt(MOST_PIXELS / (width * height)));
}

/** Columns for so many cards: none stays empty where there are few, and many do not make a ribbon. */
export function pictureColumns(cards: number): number {
  if (cards === 4) return 2;
  if (cards > 12) return 4;
  return Math.max(1, Math.min(cards, 3));
}
