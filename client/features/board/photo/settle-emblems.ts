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
