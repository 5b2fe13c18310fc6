const HEADER_LENGTH = 6;
const SCREEN_LENGTH = 7;
const DESCRIPTOR_LENGTH = 9;
/** After the mark and the place, two bytes each way. */
const FRAME_SIZE_OFFSET = 5;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** A side of a picture, in pixels: emblems have 64. A few bytes can announce 65,535, and every browser that shows it unpacks them. */
const MAX_SIDE = 1_024;
/** Pixels of all its frames together, each as large as the screen it is drawn on. */
const MAX_PIXELS = 64 * MAX_SIDE * MAX_SIDE;

/** The pixels of the width and height that stand at an offset, two bytes each; null where no picture has them. */
function sizeAt(bytes: Uint8Array, at: number): number | null {
  const [widthLow = 0, widthHigh = 0, heightLow = 0, heightHigh = 0] = bytes.subarray(at, at + 4);
  const [width, height] = [widthLow + 256 * widthHigh, heightLow + 256 * heightHigh];
  return width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE ? width * height : null;
}

/** Bytes of the colour table that a packed field announces: three for each of 2 to 256 colours, or none. */
const colorTableLength = (packed: number): number => (packed & 0x80 ? 3 * 2 ** ((packed & 0x07) + 1) : 0);

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
 * Whether bytes are a GIF, told from what they are and not from their name: the signature, a screen that has a
 * size (1,024 a side at most, as its frames; 64 such screens altogether), whole blocks with at least one image among
 * them, and the trailer. The pixels themselves are not decoded.
 */
export function isGif(bytes: Uint8Array): boolean {
  const signature = String.fromCharCode(...bytes.subarray(0, HEADER_LENGTH));
  if (signature !== 'GIF87a' && signature !== 'GIF89a') return false;
  const screen = sizeAt(bytes, HEADER_LENGTH);
  if (screen === null) return false;
  let at = HEADER_LENGTH + SCREEN_LENGTH + colorTableLength(bytes[HEADER_LENGTH + 4] ?? 0);
  let images = 0;
  while (at < bytes.length) {
    switch (bytes[at]) {
      case TRAILER:
        return images > 0;
      case EXTENSION:
        at = afterSubBlocks(bytes, at + 2);
        break;
      case IMAGE: {
        const image = at;
        const localColors = colorTableLength(bytes[at + DESCRIPTOR_LENGTH] ?? 0);
        // After the colours stands one byte that says how the pixels are packed.
        at = afterSubBlocks(bytes, at + 1 + DESCRIPTOR_LENGTH + localColors + 1);
        images += 1;
        if (sizeAt(bytes, image + FRAME_SIZE_OFFSET) === null || images * screen > MAX_PIXELS) return false;
        break;
      }
      default:
        return false;
    }
  }
  return false;
}
