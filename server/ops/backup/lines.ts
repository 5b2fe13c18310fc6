import { Damage } from './damage.ts';

const NEWLINE = 0x0a;
const BRACKET = 0x5b;

/** Whole lines with their ends: one that is no row, or as many rows as came at once. */
export interface Block {
  bytes: Buffer;
  isRows: boolean;
}

/**
 * Cuts what comes into lines, and holds no more than one of them and a piece.
 * @throws Damage where a line, or all of it, has more bytes than it may
 */
export async function* blocksOf(pieces: AsyncIterable<Buffer>, lineMost: number, allMost: number): AsyncGenerator<Block> {
  let begun: Buffer[] = [];
  let length = 0;
  let all = 0;
  for await (const piece of pieces) {
    all += piece.length;
    if (all > allMost) throw new Damage('it unpacks to more than any archive of its size');
    const last = piece.lastIndexOf(NEWLINE);
    if (last !== -1) {
      yield* cut(Buffer.concat([...begun, piece.subarray(0, last + 1)]));
      begun = [];
      length = 0;
    }
    const rest = piece.subarray(last + 1);
    begun.push(rest);
    length += rest.length;
    if (length > lineMost) throw new Damage('one of its lines is longer than any that is written');
  }
  if (length > 0) throw new Damage('it ends too early');
}

function* cut(bytes: Buffer): Generator<Block> {
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf(NEWLINE, at) + 1;
    if (bytes[at] !== BRACKET) {
      if (at > from) yield { bytes: bytes.subarray(from, at), isRows: true };
      yield { bytes: bytes.subarray(at, next), isRows: false };
      from = next;
    }
    at = next;
  }
  if (bytes.length > from) yield { bytes: bytes.subarray(from), isRows: true };
}
