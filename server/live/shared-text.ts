import type { TakenSnapshot } from './kept-board.ts';

/** The argument of an answer, as JSON; its bytes are the same ones for everyone who is sent it. */
export interface SharedText {
  /** Ends the answer's list of arguments, too. */
  text: string;
  bytes: Buffer;
}

const written = new WeakMap<TakenSnapshot, { build: string | null; answer: Promise<SharedText> }>();

/**
 * A snapshot as the answer to `sync`, written once however many ask.
 * @param build of the client, which may change under a running server
 * @throws RangeError for a board that is longer than a text can be
 */
export function writtenSnapshot(taken: TakenSnapshot, build: string | null): Promise<SharedText> {
  const kept = written.get(taken);
  if (kept?.build === build) return kept.answer;
  const answer = writeAnswer(taken, build);
  written.set(taken, { build, answer });
  return answer;
}

async function writeAnswer({ clock, epoch, write }: TakenSnapshot, build: string | null): Promise<SharedText> {
  const begin = JSON.stringify({ clock, epoch, ...(build === null ? {} : { build }) }).slice(0, -1);
  const text = `${begin},"snapshot":${await write()}}]`;
  return { text, bytes: Buffer.from(text) };
}

/** What an acknowledgement with null as its one argument ends with, as Socket.IO writes it: `43["null"]` would be a text. */
const NOTHING = 'null]';

/**
 * Puts a text in the place of an answer that was given with null. The frame is made here, as Socket.IO does for
 * what it sends to a room: otherwise each connection would hold a copy of the bytes until it has taken them.
 */
export function writeShared(packet: { data?: unknown; options: { wsPreEncodedFrame?: Buffer[] } }, { text, bytes }: SharedText): void {
  if (typeof packet.data !== 'string' || !packet.data.endsWith(NOTHING)) throw new Error(`not an answer with null: ${packet.data}`);
  const opening = packet.data.slice(0, -NOTHING.length);
  // 4 is Engine.IO's mark of a message.
  const begin = Buffer.from(`4${opening}`);
  packet.data = opening + text;
  packet.options.wsPreEncodedFrame = [Buffer.concat([headerOf(begin.length + bytes.length), begin]), bytes];
}

/** The header of a whole, unmasked text frame (RFC 6455, 5.2). */
function headerOf(length: number): Buffer {
  const FIN_AND_TEXT = 0x81;
  if (length < 126) return Buffer.from([FIN_AND_TEXT, length]);
  if (length < 65_536) {
    const header = Buffer.from([FIN_AND_TEXT, 126, 0, 0]);
    header.writeUInt16BE(length, 2);
    return header;
  }
  const header = Buffer.alloc(10);
  header[0] = FIN_AND_TEXT;
  header[1] = 127;
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}
