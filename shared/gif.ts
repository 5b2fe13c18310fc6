const HEADER_LENGTH = 6;
const SCREEN_LENGTH = 7;
const DESCRIPTOR_LENGTH = 9;
/** After the mark: the frame's place on the screen, then its size, two bytes each way. */
const FRAME_PLACE_OFFSET = 1;
const FRAME_SIZE_OFFSET = 5;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Width and height of a GIF, in pixels: emblems have 64. A few bytes can announce 65,535, and every browser that shows it unpacks them. */
const MAX_SIDE = 1_024;
/** Pixels of all frames of a GIF together, each as large as the canvas that browsers unpack it into. */
const MAX_PIXELS = 64 * MAX_SIDE * MAX_SIDE;

/** Why a file is not taken for a picture: another format, a GIF that is not whole, or one with too many pixels. */
export type GifProblem = 'notGif' | 'gifDamaged' | 'gifTooLarge';

interface Size {
  width: number;
  height: number;
}

/** The width and height, or a place from the left and the top, at an offset: two bytes each. */
function sizeAt(bytes: Uint8Array, at: number): Size {
  const [widthLow = 0, widthHigh = 0, heightLow = 0, heightHigh = 0] = bytes.subarray(at, at + 4);
  return { width: widthLow + 256 * widthHigh, height: heightLow + 256 * heightHigh };
}

const isEmpty = ({ width, height }: Size): boolean => width === 0 || height === 0;
const isTooLarge = ({ width, height }: Size): boolean => width > MAX_SIDE || height > MAX_SIDE;

/** Bytes of the colour table that a packed field announces: three for each of 2 to 256 colours, or none. */
const colorTableLength = (flags: number): number =>
  flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;

/** The offset after a chain of sub-blocks, each with its length before it, the last one empty; past the end when it is cut off. */
function afterSubBlocks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * Why bytes are no acceptable picture, judged by content and not by name; null: they are. A whole GIF has the
 * signature, a screen with a size, complete blocks with at least one image, and the trailer. Browsers enlarge the screen
 * to frames that reach beyond it. It is too large if this canvas has more than 1,024 pixels a side, or the frames, each as
 * large as the canvas, together more than 64 such squares. The pixels themselves are not decoded.
 */
export function gifProblem(bytes: Uint8Array): GifProblem | null {
  const signature = String.fromCharCode(...bytes.subarray(0, HEADER_LENGTH));
  if (signature !== 'GIF87a' && signature !== 'GIF89a') return 'notGif';
  const canvas = sizeAt(bytes, HEADER_LENGTH);
  if (isEmpty(canvas)) return 'gifDamaged';
  let at = HEADER_LENGTH + SCREEN_LENGTH + colorTableLength(bytes[HEADER_LENGTH + 4] ?? 0);
  let images = 0;
  while (at < bytes.length) {
    switch (bytes[at]) {
      case TRAILER:
        if (images === 0) return 'gifDamaged';
        return isTooLarge(canvas) || images * canvas.width * canvas.height > MAX_PIXELS
          ? 'gifTooLarge'
          : null;
      case EXTENSION:
        at = afterSubBlocks(bytes, at + 2);
        break;
      case IMAGE: {
        images += 1;
        const place = sizeAt(bytes, at + FRAME_PLACE_OFFSET);
        const frame = sizeAt(bytes, at + FRAME_SIZE_OFFSET);
        if (isEmpty(frame)) return 'gifDamaged';
        canvas.width = Math.max(canvas.width, place.width + frame.width);
        canvas.height = Math.max(canvas.height, place.height + frame.height);
        const localColors = colorTableLength(bytes[at + DESCRIPTOR_LENGTH] ?? 0);
        // The byte after the colours is the minimum code size of the pixel data.
        at = afterSubBlocks(bytes, at + 1 + DESCRIPTOR_LENGTH + localColors + 1);
        break;
      }
      default:
        return 'gifDamaged';
    }
  }
  return 'gifDamaged';
}
