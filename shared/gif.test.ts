import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogueDir } from '../server/board/catalogue/catalogue.ts';
import { A_PNG, aGif, aGifOf } from '../server/dev/test/gifs.ts';
import { gifProblem } from './gif.ts';
import { aGifSized } from './test/gifs.ts';

const withBytes = (gif: Buffer, at: number, ...bytes: number[]): Buffer => {
  const changed = Buffer.from(gif);
  changed.set(bytes, at);
  return changed;
};

describe('a GIF', () => {
  it('is every picture of the catalogue', () => {
    const images = path.join(catalogueDir(), 'images');
    for (const file of readdirSync(images))
      expect({ file, problem: gifProblem(readFileSync(path.join(images, file))) }).toEqual({
        file,
        problem: null,
      });
  });

  it('is one of either version, with local colours, several frames or a long comment', () => {
    expect(gifProblem(aGif())).toBe(null);
    expect(gifProblem(withBytes(aGif(), 4, '7'.charCodeAt(0)))).toBe(null);
    expect(gifProblem(aGifOf(100_000))).toBe(null);
    // 1 by 1, no global colours, one image with a local table of two colours.
    const image = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 0, 255, 255, 255, 2, 2, 0x4c, 1, 0];
    const screen = [1, 0, 1, 0, 0, 0, 0];
    expect(
      gifProblem(Buffer.from([...Buffer.from('GIF89a'), ...screen, ...image, ...image, 0x3b])),
    ).toBe(null);
  });

  it('is not another format, regardless of its file name', () => {
    expect(gifProblem(A_PNG)).toBe('notGif');
    expect(gifProblem(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe('notGif');
    expect(gifProblem(Buffer.alloc(0))).toBe('notGif');
    expect(gifProblem(Buffer.from('GIF89a<script>alert(1)</script>;'))).toBe('gifDamaged');
    expect(gifProblem(Buffer.concat([Buffer.from('GIF88a'), aGif().subarray(6)]))).toBe('notGif');
  });

  it('is too large when of absurd size: a screen, a frame, or the frames together', () => {
    expect(gifProblem(aGifSized([1_024, 1_024], [1_024, 1_024], 64))).toBe(null);
    expect(gifProblem(aGifSized([64, 64], [64, 64], 1_000))).toBe(null);
    expect(gifProblem(aGifSized([65_535, 65_535], [1, 1]))).toBe('gifTooLarge');
    expect(gifProblem(aGifSized([1_025, 1], [1, 1]))).toBe('gifTooLarge');
    expect(gifProblem(aGifSized([1, 1_025], [1, 1]))).toBe('gifTooLarge');
    expect(gifProblem(aGifSized([64, 64], [65_535, 1]))).toBe('gifTooLarge');
    expect(gifProblem(aGifSized([64, 64], [1, 65_535]))).toBe('gifTooLarge');
    expect(gifProblem(aGifSized([1_024, 1_024], [1, 1], 65))).toBe('gifTooLarge');
  });

  it('is measured by what is unpacked: frames that reach beyond a small screen enlarge it', () => {
    expect(gifProblem(aGifSized([1, 1], [1_024, 1_024], 64))).toBe(null);
    expect(gifProblem(aGifSized([1, 1], [1_024, 1_024], 65))).toBe('gifTooLarge');
    // After the signature, the screen and the image's mark.
    const placed = (left: number): Buffer =>
      withBytes(Buffer.from(aGifSized([64, 64])), 6 + 7 + 1, left & 255, left >> 8);
    expect(gifProblem(placed(960))).toBe(null);
    expect(gifProblem(placed(961))).toBe('gifTooLarge');
  });

  it('is damaged without a size, without an image, or cut off', () => {
    const gif = aGif();
    expect(gifProblem(withBytes(gif, 6, 0, 0))).toBe('gifDamaged');
    expect(gifProblem(withBytes(gif, 8, 0, 0))).toBe('gifDamaged');
    expect(gifProblem(Buffer.from([...Buffer.from('GIF89a'), 1, 0, 1, 0, 0, 0, 0, 0x3b]))).toBe(
      'gifDamaged',
    );
    expect(gifProblem(aGifSized([64, 64], [0, 64]))).toBe('gifDamaged');
    expect(gifProblem(aGifSized([65_535, 65_535]).subarray(0, -1))).toBe('gifDamaged');
    for (let length = 0; length < gif.length; length++) {
      const problem = length < 'GIF89a'.length ? 'notGif' : 'gifDamaged';
      expect({ length, problem: gifProblem(gif.subarray(0, length)) }).toEqual({ length, problem });
    }
  });
});
