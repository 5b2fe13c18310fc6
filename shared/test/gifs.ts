/** A GIF of a screen and this many frames, each width by height in pixels, regardless of its pixel data. */
export function aGifSized(
  screen: readonly [number, number],
  frame = screen,
  frames = 1,
): Uint8Array<ArrayBuffer> {
  const side = (pixels: number): number[] => [pixels & 0xff, pixels >> 8];
  const image = [
    0x2c,
    0,
    0,
    0,
    0,
    ...side(frame[0]),
    ...side(frame[1]),
    0x80,
    0,
    0,
    0,
    255,
    255,
    255,
    2,
    2,
    0x4c,
    1,
    0,
  ];
  const signature = [...'GIF89a'].map((sign) => sign.charCodeAt(0));
  return Uint8Array.from([
    ...signature,
    ...side(screen[0]),
    ...side(screen[1]),
    0,
    0,
    0,
    ...Array(frames).fill(image).flat(),
    0x3b,
  ]);
}
