import type { Socket as TcpSocket } from 'node:net';
import type { Context } from '../context.ts';
import { createLogLimit } from '../http/log-limit.ts';
import { measure } from '../ops/measure.ts';
import type { LiveServer, LiveSocket } from './live-server.ts';
import { type SharedText, writeShared } from './shared-text.ts';

/** Bytes that may wait until one connection takes them, whatever they are; the snapshot it asked for comes on top. */
export const MAX_UNSENT = 4 * 1024 * 1024;
/** What a packet costs while it waits, beside its bytes. */
const PACKET_OVERHEAD = 200;
/** Packets heard of one connection from one sweep to the next; a busy form says some twenty. */
export const MAX_PACKETS = 500;
/** Bytes of different snapshots that are on their way at the same time; who takes the oldest has to ask again. */
const MAX_SHARED = 64 * 1024 * 1024;
/** How often the connections are looked over, in milliseconds. */
export const SWEEP_MS = 5_000;
/** A snapshot has so many sweeps to be taken, and one more for each so many bytes: 200 kB a second. */
const SWEEPS_A_SNAPSHOT = 2;
const BYTES_A_SWEEP = 1_000_000;

/** Why a connection was cut off (`binary`: it sent attachments); the number of each is in the metrics. */
export type CutOff = 'unsent' | 'packets' | 'slow' | 'overtaken' | 'lingering' | 'binary';

type Connection = LiveSocket['conn'];
interface Packet {
  data?: unknown;
  options: { wsPreEncodedFrame?: Buffer[] };
}
interface Wire {
  conn: Connection;
  tcp: TcpSocket;
  /** Bytes that Engine.IO holds until the transport has taken those before. */
  queued: number;
  heard: number;
  snapshot: { text: SharedText; packet: Packet | null; flushed: boolean; sweepsLeft: number; taken: () => void } | null;
  closing: boolean;
}

export interface Outgoing {
  /**
   * Answers with a text that many are sent: its bytes are kept once, and do not count as unsent.
   * @param answer the question's acknowledgement
   * @returns when the connection has taken it, or is gone
   */
  answerShared: (socket: LiveSocket, answer: (synced: null) => void, text: SharedText) => Promise<void>;
  /** Looks every connection over; to be called every `SWEEP_MS`. */
  sweep: () => void;
}

/**
 * Bounds what connections make the server hold: one that does not take what it is sent, or says too much, is cut
 * off without a word, since it would not read one. An honest client connects anew by itself.
 */
export function watchOutgoing(ctx: Pick<Context, 'log' | 'metrics'>, io: LiveServer): Outgoing {
  const wires = new Map<Connection, Wire>();
  const onTheirWay = new Map<SharedText, Set<Wire>>();
  const help = 'Bytes that live connections have not taken yet';
  measure(ctx.metrics, { name: 'claimboard_live_unsent_bytes', help }, (gauge) => {
    gauge.set(wires.values().reduce((sum, wire) => sum + unsent(wire) + (wire.snapshot?.text.bytes.length ?? 0), 0));
  });

  const limitLog = createLogLimit();
  const cutOff = (wire: Wire, why: CutOff): void => {
    if (wire.tcp.destroyed) return;
    ctx.metrics.cutOff.inc({ why });
    limitLog(why, (left_out) => ctx.log.info({ why, left_out }, 'a live connection exceeded its limits and was closed'));
    wire.tcp.destroy();
  };
  const release = (wire: Wire): void => {
    const { snapshot } = wire;
    if (!snapshot) return;
    wire.snapshot = null;
    const takers = onTheirWay.get(snapshot.text);
    takers?.delete(wire);
    if (takers?.size === 0) onTheirWay.delete(snapshot.text);
    snapshot.taken();
  };
  /** Makes room for one more text among those on their way. */
  const overtake = (text: SharedText): void => {
    if (onTheirWay.has(text)) return;
    let bytes = text.bytes.length;
    for (const other of onTheirWay.keys()) bytes += other.bytes.length;
    for (const [oldest, takers] of onTheirWay) {
      if (bytes <= MAX_SHARED) return;
      bytes -= oldest.bytes.length;
      for (const wire of takers) {
        cutOff(wire, 'overtaken');
        release(wire);
      }
    }
  };

  io.engine.on('connection', (conn: Connection) => {
    const tcp = conn.request.socket;
    const wire: Wire = { conn, tcp, queued: 0, heard: 0, snapshot: null, closing: false };
    wires.set(conn, wire);
    tcp.once('close', () => {
      wires.delete(conn);
      release(wire);
    });
    conn.on('packet', (packet: Packet) => {
      wire.heard += 1;
      if (wire.heard > MAX_PACKETS) cutOff(wire, 'packets');
      if (isBinary(packet)) {
        cutOff(wire, 'binary');
        // Socket.IO reads nothing more of it, this packet included, not even what has already arrived.
        conn.close(true);
      }
    });
    conn.on('packetCreate', (packet: Packet) => {
      wire.queued += sizeOf(packet);
      if (unsent(wire) > MAX_UNSENT) cutOff(wire, 'unsent');
    });
    conn.on('flush', (packets: readonly Packet[]) => {
      wire.queued = 0;
      const { snapshot } = wire;
      if (snapshot?.packet && packets.includes(snapshot.packet)) snapshot.flushed = true;
    });
    // Unlike the connection's own event of that name, the transport's says that the system has taken the packets.
    conn.transport.on('drain', () => {
      if (wire.snapshot?.flushed) release(wire);
    });
  });

  return {
    answerShared: (socket, answer, text) => {
      const wire = wires.get(socket.conn);
      if (!wire || wire.tcp.destroyed) return Promise.resolve();
      overtake(text);
      return new Promise((taken) => {
        const sweepsLeft = SWEEPS_A_SNAPSHOT + Math.ceil(text.bytes.length / BYTES_A_SWEEP);
        const snapshot: Wire['snapshot'] = { text, packet: null, flushed: false, sweepsLeft, taken };
        release(wire);
        wire.snapshot = snapshot;
        onTheirWay.set(text, (onTheirWay.get(text) ?? new Set()).add(wire));
        // Before the one above counts it.
        socket.conn.prependOnceListener('packetCreate', (packet: Packet) => {
          snapshot.packet = packet;
          writeShared(packet, text);
        });
        answer(null);
        // A connection that has just ended is sent nothing any more.
        if (!snapshot.packet) release(wire);
      });
    },
    sweep: () => {
      for (const wire of wires.values()) {
        wire.heard = 0;
        if (wire.conn.readyState !== 'open') {
          // The farewell of a connection that nobody reads never gets there.
          if (wire.closing) cutOff(wire, 'lingering');
          wire.closing = true;
          continue;
        }
        if (wire.snapshot) wire.snapshot.sweepsLeft -= 1;
        if (wire.snapshot && wire.snapshot.sweepsLeft < 0) cutOff(wire, 'slow');
        else if (unsent(wire) > MAX_UNSENT) cutOff(wire, 'unsent');
      }
    },
  };
}

/** What waits at Engine.IO, at the WebSocket and at the connection itself, without the snapshot on its way. */
function unsent({ queued, tcp, snapshot }: Wire): number {
  return queued + tcp.writableLength - (snapshot?.packet ? snapshot.text.bytes.length : 0);
}

/** An attachment, or a packet that announces some: the protocol has none, and Socket.IO would keep them until the last has come. */
function isBinary({ data }: Packet): boolean {
  return data !== undefined && (typeof data !== 'string' || ATTACHING.test(data));
}

/** Socket.IO's packets of the types 5 and 6, an event and an answer with attachments. */
const ATTACHING = /^[56]/;

function sizeOf({ data, options }: Packet): number {
  const frame = options.wsPreEncodedFrame;
  if (frame) return frame.reduce((sum, { length }) => sum + length, PACKET_OVERHEAD);
  return PACKET_OVERHEAD + (typeof data === 'string' ? Buffer.byteLength(data) : 0);
}
