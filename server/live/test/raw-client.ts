import { connect, type Socket } from 'node:net';
import type { HandshakeAuth } from '../../../shared/live.ts';

/** A client of the live protocol by bare frames: one that may ask without reading, and say what no library says. */
export interface RawClient {
  /** Sends texts, and bytes, as frames, all in one write. */
  send: (...messages: (string | { bytes: Buffer })[]) => void;
  /** From now on nothing is taken from the connection; what the server sends waits at the server. */
  stopReading: () => void;
  readAgain: () => void;
  /** The texts that came, in order. */
  texts: string[];
  /** Resolves when a matching text has arrived; also one that arrived before. */
  hears: (isIt: (text: string) => boolean) => Promise<string>;
  closed: Promise<void>;
  socket: Socket;
}

/** Opens a WebSocket to a server's live connection, before any credential. @param headers lines of the request beside the usual ones */
export async function rawConnection(
  url: string,
  headers: readonly string[] = [],
): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const texts: string[] = [];
  let wishes: { isIt: (text: string) => boolean; resolve: (text: string) => void }[] = [];
  const onText = (text: string): void => {
    texts.push(text);
    for (const wish of wishes) if (wish.isIt(text)) wish.resolve(text);
    wishes = wishes.filter(({ isIt }) => !isIt(text));
  };
  const opened = new Promise<void>((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    /** Total bytes of the frame being received: not parsed again before they are complete. */
    let wanted = 0;
    let isOpen = false;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length < wanted) return;
      let rest = Buffer.concat(chunks);
      const end = rest.indexOf('\r\n\r\n');
      if (!isOpen && end >= 0) {
        isOpen = true;
        rest = rest.subarray(end + 4);
        resolve();
      }
      if (isOpen) [rest, wanted] = framesIn(rest, onText, () => socket.end());
      chunks = [rest];
      length = rest.length;
    });
    socket.once('close', () => reject(new Error('closed')));
  });
  socket.write(
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`,
  );
  await opened;
  return {
    send: (...all) => void socket.write(Buffer.concat(all.map(frameOf))),
    stopReading: () => void socket.pause(),
    readAgain: () => void socket.resume(),
    texts,
    hears: (isIt) => {
      const known = texts.find(isIt);
      return known === undefined
        ? new Promise((resolve) => wishes.push({ isIt, resolve }))
        : Promise.resolve(known);
    },
    closed,
    socket,
  };
}

/** The same with a credential that the server has accepted. */
export async function rawClient(url: string, auth: HandshakeAuth): Promise<RawClient> {
  const client = await rawConnection(url);
  client.send(`40${JSON.stringify(auth)}`);
  await client.hears((text) => text.startsWith('40{'));
  return client;
}

/**
 * Asks for the board again and again and takes nothing of what it is sent: what once let one member's connection
 * use up the server's memory.
 */
export async function unreadSyncs(
  url: string,
  auth: HandshakeAuth,
  times: number,
): Promise<RawClient> {
  const client = await rawClient(url, auth);
  client.stopReading();
  client.send(...Array.from({ length: times }, (_, id) => `42${id}["sync",null]`));
  return client;
}

/** A masked frame; the mask is zeros. */
function frameOf(message: string | { bytes: Buffer }): Buffer {
  const isText = typeof message === 'string';
  const bytes = isText ? Buffer.from(message) : message.bytes;
  const length =
    bytes.length < 126
      ? Buffer.from([0x80 | bytes.length])
      : Buffer.from([0x80 | 126, bytes.length >> 8, bytes.length & 0xff]);
  return Buffer.concat([Buffer.from([isText ? 0x81 : 0x82]), length, Buffer.alloc(4), bytes]);
}

/** Calls back with the text of each complete frame, and when the server closes. @returns the remaining bytes, and the length they will have */
function framesIn(
  bytes: Buffer,
  each: (text: string) => void,
  closes: () => void,
): [Buffer<ArrayBuffer>, number] {
  let rest = Buffer.from(bytes);
  for (;;) {
    const short = (rest[1] ?? 0) & 0x7f;
    const header = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (rest.length < header) return [rest, header];
    const length =
      short === 126
        ? rest.readUInt16BE(2)
        : short === 127
          ? Number(rest.readBigUInt64BE(2))
          : short;
    if (rest.length < header + length) return [rest, header + length];
    const opcode = (rest[0] ?? 0) & 0x0f;
    if (opcode === 1) each(rest.toString('utf8', header, header + length));
    if (opcode === 8) closes();
    rest = rest.subarray(header + length);
  }
}
