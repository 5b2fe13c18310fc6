import type { Socket as TcpSocket } from 'node:net';
import type { Env } from '../env.ts';
import {
  type AddressHash,
  addressForLog,
  addressOf,
  ipOf,
  isLoopback,
} from '../http/client-address.ts';
import { createLogLimit } from '../http/log-limit.ts';
import { type Metrics, measure } from '../http/metrics.ts';
import { createUsage } from '../http/rate-limits.ts';
import { fillAnswer, type Packet } from './encoding.ts';
import type { LiveLog, LiveServer, LiveSocket } from './live-server.ts';
import { snapshotsInFlight } from './snapshots-in-flight.ts';

/** Bytes that may wait for one connection, in addition to the snapshot that it asked for. */
export const MAX_UNSENT = 4 * 1024 * 1024;
/** The memory that a waiting packet costs in addition to its bytes. */
const PACKET_OVERHEAD = 200;
/** Packets that one connection may send in 5 s; a busy form sends about twenty. */
export const MAX_PACKETS = 500;
export const SWEEP_MS = 5_000;
/** A snapshot must be taken within so many sweeps and one more for each MB: 200 kB/s. */
const SWEEPS_PER_SNAPSHOT = 2;
const BYTES_PER_SWEEP = 1_000_000;

/**
 * `unsent`, `slow`: the client doesn't read. `packets`: it sends too many. `binary`: it sends attachments. `address`: its address has
 * too many connections. `memory`: it takes the oldest of the snapshots that together are too large.
 */
export type Violation = 'unsent' | 'slow' | 'packets' | 'binary' | 'address' | 'memory';

type Connection = LiveSocket['conn'];
interface Usage {
  conn: Connection;
  tcp: TcpSocket;
  /** The address that limits count. */
  address: string;
  /** Bytes in Engine.IO's buffer, until the transport takes them. */
  queued: number;
  /** Packets received since the last sweep. */
  received: number;
  snapshot: {
    answer: Buffer;
    packet: Packet | null;
    isFlushed: boolean;
    sweepsLeft: number;
    onTaken: () => void;
  } | null;
}

interface LimitedLive extends LiveLog {
  metrics: Metrics;
  env: Pick<Env, 'TRUST_PROXY'>;
  hashAddress: AddressHash;
}

export interface ConnectionLimits {
  /**
   * Answers with bytes that many connections share; they do not count as unsent.
   * @returns when the connection has taken them, or is closed
   */
  answerWith: (
    socket: LiveSocket,
    acknowledge: (nothing: null) => void,
    answer: Buffer,
  ) => Promise<void>;
  /** Checks all connections; to be called every `SWEEP_MS`. */
  sweep: () => void;
}

/**
 * Bounds what one connection makes the server hold or do. A connection that exceeds a limit is destroyed without a message, which it
 * would not read; an honest client reconnects.
 * @param maxPerAddress connections of one address, which behind a proxy only its header names; this machine's own has no limit
 */
export function limitLiveConnections(
  ctx: LimitedLive,
  io: LiveServer,
  maxPerAddress: number,
): ConnectionLimits {
  const usages = new Map<Connection, Usage>();
  const perAddress = createUsage();
  const help = 'Bytes that live connections have not taken yet';
  measure(ctx.metrics, { name: 'claimboard_live_unsent_bytes', help }, (gauge) => {
    gauge.set(
      usages
        .values()
        .reduce((sum, usage) => sum + unsentBytes(usage) + (usage.snapshot?.answer.length ?? 0), 0),
    );
  });

  const limitLog = createLogLimit();
  const destroy = ({ tcp, address }: Usage, why: Violation): void => {
    if (tcp.destroyed) return;
    ctx.metrics.disconnects.inc({ why });
    limitLog(why, (left_out) => {
      void addressForLog(ctx, address).then((address_hash) =>
        ctx.log.info(
          { why, address_hash, left_out },
          'a live connection exceeded its limits and was closed',
        ),
      );
    });
    tcp.destroy();
  };
  const finishSnapshot = (usage: Usage): void => {
    const { snapshot } = usage;
    usage.snapshot = null;
    snapshot?.onTaken();
  };

  io.engine.on('connection', (conn: Connection) => {
    const tcp = conn.request.socket;
    const address = addressOf(conn.request, ctx.env);
    const usage: Usage = { conn, tcp, address, queued: 0, received: 0, snapshot: null };
    usages.set(conn, usage);
    const isOverLimit = perAddress.add(address) > maxPerAddress;
    tcp.once('close', () => {
      usages.delete(conn);
      finishSnapshot(usage);
      perAddress.remove(address);
    });
    if (isOverLimit && !isLoopback(ipOf(conn.request, ctx.env))) destroy(usage, 'address');
    conn.on('packet', (packet: Packet) => {
      usage.received += 1;
      if (usage.received > MAX_PACKETS) destroy(usage, 'packets');
      if (isBinary(packet)) {
        destroy(usage, 'binary');
        // Socket.IO then reads nothing more of it: not this packet, nor what has already arrived.
        conn.close(true);
      }
    });
    conn.on('packetCreate', (packet: Packet) => {
      usage.queued += sizeOf(packet);
      if (unsentBytes(usage) > MAX_UNSENT) destroy(usage, 'unsent');
    });
    conn.on('flush', (packets: readonly Packet[]) => {
      usage.queued = 0;
      const { snapshot } = usage;
      if (snapshot?.packet && packets.includes(snapshot.packet)) snapshot.isFlushed = true;
    });
    // The transport's `drain`, unlike the connection's, means that the operating system has taken the packets.
    conn.transport.on('drain', () => {
      if (usage.snapshot?.isFlushed) finishSnapshot(usage);
    });
  });

  return {
    answerWith: (socket, acknowledge, answer) => {
      const usage = usages.get(socket.conn);
      if (!usage || usage.tcp.destroyed) return Promise.resolve();
      return new Promise((onTaken) => {
        const sweepsLeft = SWEEPS_PER_SNAPSHOT + Math.ceil(answer.length / BYTES_PER_SWEEP);
        const done = snapshotsInFlight.add(answer, { destroy: () => destroy(usage, 'memory') });
        const finish = (): void => {
          done();
          onTaken();
        };
        const snapshot: Usage['snapshot'] = {
          answer,
          packet: null,
          isFlushed: false,
          sweepsLeft,
          onTaken: finish,
        };
        finishSnapshot(usage);
        usage.snapshot = snapshot;
        // Before the listener above counts the packet.
        socket.conn.prependOnceListener('packetCreate', (packet: Packet) => {
          snapshot.packet = packet;
          fillAnswer(packet, answer);
        });
        acknowledge(null);
        // A connection that has just closed creates no packet.
        if (!snapshot.packet) finishSnapshot(usage);
      });
    },
    sweep: () => {
      for (const usage of usages.values()) {
        usage.received = 0;
        if (usage.snapshot) usage.snapshot.sweepsLeft -= 1;
        if (usage.snapshot && usage.snapshot.sweepsLeft < 0) destroy(usage, 'slow');
        else if (unsentBytes(usage) > MAX_UNSENT) destroy(usage, 'unsent');
      }
    },
  };
}

/** Bytes that wait in Engine.IO, the WebSocket and the connection, without the snapshot. */
function unsentBytes({ queued, tcp, snapshot }: Usage): number {
  return queued + tcp.writableLength - (snapshot?.packet ? snapshot.answer.length : 0);
}

/** Socket.IO's packet types 5 and 6: an event or an answer with attachments. The protocol has none. */
const WITH_ATTACHMENTS = /^[56]/;

/** An attachment, or a packet that announces some: Socket.IO would buffer them until the last one has arrived. */
function isBinary({ data }: Packet): boolean {
  return data !== undefined && (typeof data !== 'string' || WITH_ATTACHMENTS.test(data));
}

function sizeOf({ data, options }: Packet): number {
  const frame = options.wsPreEncodedFrame;
  if (frame) return frame.reduce((sum, { length }) => sum + length, PACKET_OVERHEAD);
  return PACKET_OVERHEAD + (typeof data === 'string' ? Buffer.byteLength(data) : 0);
}
