import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Characters to encode before yielding to the event loop: a few milliseconds of work. */
const CHUNK_LENGTH = 300_000;

/** Writes a list as a JSON array, in chunks. */
export async function writeJsonArray<T>(
  items: readonly T[],
  write: (item: T) => string,
): Promise<string> {
  const texts: string[] = [];
  let chunkLength = 0;
  let isLong = false;
  for (const item of items) {
    const text = write(item);
    texts.push(text);
    chunkLength += text.length;
    if (chunkLength < CHUNK_LENGTH) continue;
    chunkLength = 0;
    isLong = true;
    await yieldToEventLoop();
  }
  // Joining a long list takes milliseconds.
  if (isLong) await yieldToEventLoop();
  return `[${texts.join(',')}]`;
}

/** Encodes a text; yields first if it is long. */
export async function encodeText(text: string): Promise<Buffer> {
  if (text.length > CHUNK_LENGTH) await yieldToEventLoop();
  return Buffer.from(text);
}

/** Engine.IO's packet type of a message. */
const MESSAGE = '4';

/** The header of an unmasked text frame (RFC 6455, 5.2). */
function frameHeader(length: number): Buffer {
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

/** A Socket.IO packet as a WebSocket frame, encoded once for all sockets that receive it. */
export function encodeFrame(packet: string): Buffer {
  const bytes = Buffer.from(MESSAGE + packet);
  return Buffer.concat([frameHeader(bytes.length), bytes]);
}

/** A packet of Engine.IO. The transport writes the frame, if there is one, instead of the data. */
export interface Packet {
  data?: unknown;
  options: { wsPreEncodedFrame?: Buffer[] };
}

interface EncodableSnapshot {
  clock: number;
  epoch: string;
  toJson: () => Promise<string>;
}

const answers = new WeakMap<EncodableSnapshot, { build: string | null; answer: Promise<Buffer> }>();

/**
 * Encodes a snapshot as the answer to `sync`, once for all who ask: the acknowledgement's argument as JSON, and the bracket that ends the
 * list of arguments. If that fails, the next caller tries again.
 * @param build of the client, which may be replaced while the server runs
 * @throws RangeError for a board that is longer than a string can be
 */
export function encodeSnapshotAnswer(
  snapshot: EncodableSnapshot,
  build: string | null,
): Promise<Buffer> {
  const known = answers.get(snapshot);
  if (known?.build === build) return known.answer;
  const answer = encodeAnswer(snapshot, build).catch((error: unknown) => {
    answers.delete(snapshot);
    throw error;
  });
  answers.set(snapshot, { build, answer });
  return answer;
}

async function encodeAnswer(
  { clock, epoch, toJson }: EncodableSnapshot,
  build: string | null,
): Promise<Buffer> {
  const start = JSON.stringify({ clock, epoch, ...(build === null ? {} : { build }) }).slice(0, -1);
  return encodeText(`${start},"snapshot":${await toJson()}}]`);
}

/** How Socket.IO ends an acknowledgement whose only argument is null. */
const NULL_ARGUMENT = 'null]';

/**
 * Sends the answer in place of an acknowledgement's null. Socket.IO itself would copy the bytes for each socket. The packet's text stays
 * as it is: the transport writes the frame instead.
 */
export function fillAnswer(packet: Packet, answer: Buffer): void {
  if (typeof packet.data !== 'string' || !packet.data.endsWith(NULL_ARGUMENT))
    throw new Error(`not an answer with null: ${packet.data}`);
  const start = Buffer.from(MESSAGE + packet.data.slice(0, -NULL_ARGUMENT.length));
  packet.options.wsPreEncodedFrame = [
    Buffer.concat([frameHeader(start.length + answer.length), start]),
    answer,
  ];
}
