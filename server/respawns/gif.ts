const HEADER_LENGTH = 6;
const SCREEN_LENGTH = 7;
const DESCRIPTOR_LENGTH = 9;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

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
 * size, whole blocks with at least one image among them, and the trailer. The pixels themselves are not decoded.
 */
export function isGif(bytes: Uint8Array): boolean {
  const signature = String.fromCharCode(...bytes.subarray(0, HEADER_LENGTH));
  if (signature !== 'GIF87a' && signature !== 'GIF89a') return false;
  const [widthLow, widthHigh, heightLow, heightHigh, packed] = bytes.subarray(HEADER_LENGTH, HEADER_LENGTH + SCREEN_LENGTH);
  if (!(widthLow || widthHigh) || !(heightLow || heightHigh)) return false;
  let at = HEADER_LENGTH + SCREEN_LENGTH + colorTableLength(packed ?? 0);
  let images = 0;
  while (at < bytes.length) {
    switch (bytes[at]) {
      case TRAILER:
        return images > 0;
      case EXTENSION:
        at = afterSubBlocks(bytes, at + 2);
        break;
      case IMAGE: {
        const localColors = colorTableLength(bytes[at + DESCRIPTOR_LENGTH] ?? 0);
        // After the colours stands one byte that says how the pixels are packed.
        at = afterSubBlocks(bytes, at + 1 + DESCRIPTOR_LENGTH + localColors + 1);
        images += 1;
        break;
      }
      default:
        return false;
    }
  }
  return false;
}
