let count = 0;

/** A GIF of one pixel, each call another colour. */
export function aGif(): Buffer {
  count += 1;
  const screen = [1, 0, 1, 0, 0x80, 0, 0];
  const colors = [count & 0xff, count >> 8, 7, 255, 255, 255];
  const image = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0];
  const pixels = [2, 2, 0x44, 1, 0];
  return Buffer.from([...Buffer.from('GIF89a'), ...screen, ...colors, ...image, ...pixels, 0x3b]);
}

/** A GIF of exactly so many bytes: the rest is a comment. */
export function aGifOf(length: number): Buffer {
  const small = aGif();
  const start = small.subarray(0, -1);
  const trailer = small.subarray(-1);
  // An extension costs three bytes, each of its blocks one more than it holds, of 1 to 255.
  let rest = length - small.length - 3;
  const blocks: Buffer[] = [];
  while (rest > 0) {
    const held = rest === 257 ? 254 : Math.min(rest - 1, 255);
    blocks.push(Buffer.from([held]), Buffer.alloc(held, 'x'));
    rest -= held + 1;
  }
  return Buffer.concat([start, Buffer.from([0x21, 0xfe]), ...blocks, Buffer.from([0]), trailer]);
}

export const A_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
