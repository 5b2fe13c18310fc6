import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATALOGUE_DIR } from '../seed/catalogue.ts';
import { A_PNG, aGif, aGifOf } from '../test/gifs.ts';
import { isGif } from './gif.ts';

const withBytes = (gif: Buffer, at: number, ...bytes: number[]): Buffer => {
  const changed = Buffer.from(gif);
  changed.set(bytes, at);
  return changed;
};

describe('a GIF', () => {
  it('is every picture of the catalogue', () => {
    const images = path.join(CATALOGUE_DIR, 'images');
    for (const file of readdirSync(images))
      expect({ file, gif: isGif(readFileSync(path.join(images, file))) }).toEqual({ file, gif: true });
  });

  it('is one of either version, with local colours, several frames or a long comment', () => {
    expect(isGif(aGif())).toBe(true);
    expect(isGif(withBytes(aGif(), 4, '7'.charCodeAt(0)))).toBe(true);
    expect(isGif(aGifOf(100_000))).toBe(true);
    // 1 by 1, no global colours, one image with two colours of its own.
    const image = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 0, 255, 255, 255, 2, 2, 0x4c, 1, 0];
    const screen = [1, 0, 1, 0, 0, 0, 0];
    expect(isGif(Buffer.from([...Buffer.from('GIF89a'), ...screen, ...image, ...image, 0x3b]))).toBe(true);
  });

  it('is not another format, whatever it is called', () => {
    expect(isGif(A_PNG)).toBe(false);
    expect(isGif(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe(false);
    expect(isGif(Buffer.alloc(0))).toBe(false);
    expect(isGif(Buffer.from('GIF89a'))).toBe(false);
    expect(isGif(Buffer.from('GIF89a<script>alert(1)</script>;'))).toBe(false);
    expect(isGif(Buffer.concat([Buffer.from('GIF88a'), aGif().subarray(6)]))).toBe(false);
  });

  it('is none of absurd size: a screen, a frame, or the frames together', () => {
    const sized = (screen: [number, number], frame: [number, number], frames = 1): Buffer => {
      const side = (pixels: number): number[] => [pixels & 0xff, pixels >> 8];
      const image = [0x2c, 0, 0, 0, 0, ...side(frame[0]), ...side(frame[1]), 0x80, 0, 0, 0, 255, 255, 255, 2, 2, 0x4c, 1, 0];
      const header = [...Buffer.from('GIF89a'), ...side(screen[0]), ...side(screen[1]), 0, 0, 0];
      return Buffer.from([...header, ...Array.from({ length: frames }, () => image).flat(), 0x3b]);
    };
    expect(isGif(sized([1_024, 1_024], [1_024, 1_024], 64))).toBe(true);
    expect(isGif(sized([64, 64], [64, 64], 1_000))).toBe(true);
    expect(isGif(sized([65_535, 65_535], [1, 1]))).toBe(false);
    expect(isGif(sized([1_025, 1], [1, 1]))).toBe(false);
    expect(isGif(sized([1, 1_025], [1, 1]))).toBe(false);
    expect(isGif(sized([64, 64], [65_535, 1]))).toBe(false);
    expect(isGif(sized([64, 64], [1, 65_535]))).toBe(false);
    expect(isGif(sized([64, 64], [0, 64]))).toBe(false);
    expect(isGif(sized([1_024, 1_024], [1, 1], 65))).toBe(false);
  });

  it('is not one without a size, without an image, or cut off', () => {
    const gif = aGif();
    expect(isGif(withBytes(gif, 6, 0, 0))).toBe(false);
    expect(isGif(withBytes(gif, 8, 0, 0))).toBe(false);
    expect(isGif(Buffer.from([...Buffer.from('GIF89a'), 1, 0, 1, 0, 0, 0, 0, 0x3b]))).toBe(false);
    for (let length = 0; length < gif.length; length++)
      expect({ length, gif: isGif(gif.subarray(0, length)) }).toEqual({ length, gif: false });
  });
});
