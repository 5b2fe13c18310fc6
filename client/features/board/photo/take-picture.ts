import html2canvas from 'html2canvas';
import styles from './photo.module.css';

/** Section 9 of the specification. */
const IMAGE_TIMEOUT_MS = 15_000;

/**
 * A section of the board as a PNG, in the colours of the theme, without its controls.
 * @throws when the browser cannot draw it
 */
export async function takePicture(section: Element): Promise<Blob> {
  const host = stage(section);
  try {
    await settleEmblems(host, IMAGE_TIMEOUT_MS);
    const width = host.offsetWidth;
    const height = Math.ceil(host.getBoundingClientRect().height);
    // A part of a pixel would leave an edge in another colour.
    host.style.height = `${height}px`;
    const scale = pictureScale(width, height);
    const canvas = await html2canvas(host, {
      canvas: emptyCanvas(width * scale, height * scale),
      scale,
      windowWidth: Math.max(window.innerWidth, width),
      backgroundColor: getComputedStyle(host).backgroundColor,
      imageTimeout: IMAGE_TIMEOUT_MS,
      // The document is copied for it: of a board with a thousand cards only these are needed.
      ignoreElements: (element) => isElsewhere(element, host),
      logging: false,
    });
    return await asPng(canvas);
  } finally {
    host.remove();
  }
}

function emptyCanvas(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.floor(width);
  canvas.height = Math.floor(height);
  const context = canvas.getContext('2d');
  // The emblems are pixel art.
  if (context) context.imageSmoothingEnabled = false;
  return canvas;
}

function isElsewhere(element: Element, host: Element): boolean {
  if (document.head.contains(element)) return element.matches('link:not([rel="stylesheet"])');
  return document.body.contains(element) && !element.contains(host) && !host.contains(element);
}

function asPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the canvas is too large'))), 'image/png');
  });
}

/**
 * A copy of a section, laid out for a picture and out of sight: on every screen the picture is the same, and the page does
 * not move while it is taken. What is marked `data-not-in-picture` stays
 * behind. The caller removes it.
 */
function stage(section: Element): HTMLElement {
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

/**
 * Waits for pictures to arrive. One that fails, or is not there in time, is replaced by the first letter of its spot, as the
 * board does it: a picture that never comes must not hold up all the others.
 */
export async function settleEmblems(root: ParentNode, timeoutMs: number): Promise<void> {
  const images = [...root.querySelectorAll('img')];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([Promise.all(images.map(settled)), late]);
  clearTimeout(timer);
  for (const image of images) {
    if (image.complete && image.naturalWidth > 0) fitInFrame(image);
    else image.replaceWith(image.closest('article')?.querySelector('h3')?.textContent?.trim().slice(0, 1) ?? '');
  }
}

function settled(image: HTMLImageElement): Promise<void> {
  // Out of view it would never be asked for.
  image.loading = 'eager';
  if (image.complete) return Promise.resolve();
  return new Promise((resolve) => {
    for (const event of ['load', 'error']) image.addEventListener(event, () => resolve(), { once: true });
  });
}

/** What draws the picture knows no `object-fit`. */
function fitInFrame(image: HTMLImageElement): void {
  const { naturalWidth, naturalHeight, width, height } = image;
  const ratio = Math.min(width / naturalWidth, height / naturalHeight);
  image.width = Math.round(naturalWidth * ratio);
  image.height = Math.round(naturalHeight * ratio);
}
