import html2canvas from 'html2canvas';
import { settleEmblems } from './settle-emblems.ts';
import { pictureScale, stage } from './stage.ts';

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
