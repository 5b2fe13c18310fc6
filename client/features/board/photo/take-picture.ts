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
    // A fractional height would leave an edge in another color.
    host.style.height = `${height}px`;
    const scale = pictureScale(width, height);
    const canvas = await html2canvas(host, {
      canvas: emptyCanvas(width * scale, height * scale),
      scale,
      windowWidth: Math.max(window.innerWidth, width),
      backgroundColor: getComputedStyle(host).backgroundColor,
      imageTimeout: IMAGE_TIMEOUT_MS,
      // html2canvas clones the document; skip everything but this section.
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
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the canvas is too large'))),
      'image/png',
    );
  });
}

/**
 * A hidden copy of a section in a fixed layout: the picture is the same on every screen, and the page doesn't move. Elements marked
 * `data-not-in-picture` are left out. The caller removes it.
 */
function stage(section: Element): HTMLElement {
  const host = document.createElement('div');
  host.className = styles.stage ?? '';
  host.inert = true;
  host.setAttribute('aria-hidden', 'true');
  host.append(section.cloneNode(true));
  for (const left of host.querySelectorAll('[data-not-in-picture], .visually-hidden, svg'))
    left.remove();
  for (const named of host.querySelectorAll('[id]')) named.removeAttribute('id');
  host.style.setProperty(
    '--columns',
    String(pictureColumns(host.querySelectorAll('article').length)),
  );
  document.body.append(host);
  return host;
}

/** Canvas pixels per CSS pixel. */
const SCALE = 2;
/** Canvas limits; the area is that of tablets, the strictest. */
const MAX_SIDE_PX = 16_000;
const MAX_AREA_PX = 16_000_000;

/** Canvas pixels per CSS pixel, reduced where the picture would exceed the limits. */
export function pictureScale(width: number, height: number): number {
  return Math.min(
    SCALE,
    MAX_SIDE_PX / width,
    MAX_SIDE_PX / height,
    Math.sqrt(MAX_AREA_PX / (width * height)),
  );
}

/** Columns for a number of cards: no empty column for few, no ribbon for many. */
export function pictureColumns(cards: number): number {
  if (cards === 4) return 2;
  if (cards > 12) return 4;
  return Math.max(1, Math.min(cards, 3));
}

/** Waits for images. One that fails or takes too long is replaced by the spot's initial, as on the board. */
export async function settleEmblems(root: ParentNode, timeoutMs: number): Promise<void> {
  const images = [...root.querySelectorAll('img')];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([Promise.all(images.map(whenLoaded)), late]);
  clearTimeout(timer);
  for (const image of images) {
    if (image.complete && image.naturalWidth > 0) fitInFrame(image);
    else
      image.replaceWith(
        image.closest('article')?.querySelector('h3')?.textContent?.trim().slice(0, 1) ?? '',
      );
  }
}

function whenLoaded(image: HTMLImageElement): Promise<void> {
  // A lazy image out of view would never load.
  image.loading = 'eager';
  if (image.complete) return Promise.resolve();
  return new Promise((resolve) => {
    for (const event of ['load', 'error'])
      image.addEventListener(event, () => resolve(), { once: true });
  });
}

/** html2canvas doesn't support `object-fit`. */
function fitInFrame(image: HTMLImageElement): void {
  const { naturalWidth, naturalHeight, width, height } = image;
  const ratio = Math.min(width / naturalWidth, height / naturalHeight);
  image.width = Math.round(naturalWidth * ratio);
  image.height = Math.round(naturalHeight * ratio);
}
