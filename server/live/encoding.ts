import { headerOf, messageBytes } from './frame.ts';
import type { BoardSnapshot } from './read-model.ts';
import { encodeText } from './record-list.ts';

/** The argument of an answer, as JSON; its bytes are the same ones for everyone who is sent it. */
export interface SharedText {
  /** Ends the answer's list of arguments, too. */
  text: string;
  bytes: Buffer;
}

const written = new WeakMap<BoardSnapshot, { build: string | null; answer: Promise<SharedText> }>();

/**
 * A snapshot as the answer to `sync`, written once however many ask.
 * @param build of the client, which may change under a running server
 * @throws RangeError for a board that is longer than a text can be
 */
export function writtenSnapshot(taken: BoardSnapshot, build: string | null): Promise<SharedText> {
  const kept = written.get(taken);
  if (kept?.build === build) return kept.answer;
  const answer = writeAnswer(taken, build);
  written.set(taken, { build, answer });
  return answer;
}

async function writeAnswer({ clock, epoch, toJson }: BoardSnapshot, build: string | null): Promise<SharedText> {
  const begin = JSON.stringify({ clock, epoch, ...(build === null ? {} : { build }) }).slice(0, -1);
  const text = `${begin},"snapshot":${await toJson()}}]`;
  return { text, bytes: await encodeText(text) };
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
  const begin = messageBytes(opening);
  packet.data = opening + text;
  packet.options.wsPreEncodedFrame = [Buffer.concat([headerOf(begin.length + bytes.length), begin]), bytes];
}
