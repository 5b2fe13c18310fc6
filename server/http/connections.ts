import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Env } from '../env.ts';
import { hasBody } from './body-time.ts';
import { hasOneHost, isOwn } from './own-host.ts';
import { createRoom, type Room } from './room.ts';

/** What one connection, and all of them together, may make the server hold. */
export interface ConnectionBounds {
  /** How long a request's head may take to arrive, in milliseconds. */
  headers_ms: number;
  /** How long a body may take after its head, in milliseconds, where nobody who is known sends much. */
  body_ms: number;
  /** How long a whole request may take to arrive, in milliseconds. */
  request_ms: number;
  /** How long neither a byte comes in nor a byte of an answer is taken, in milliseconds; the live protocol has pings of its own. */
  silence_ms: number;
  /** How long a connection is kept for its next request, in milliseconds, a second of Node's own aside. */
  keep_alive_ms: number;
  /** How often heads and requests that take too long are looked for, in milliseconds. */
  check_ms: number;
  /** Requests of one connection that wait for their answers at once; browsers send one after the other. */
  unanswered: number;
  /** Open connections altogether: 5,000 watchers, each with two requests more under way. */
  connections: number;
}

export const connectionBounds: ConnectionBounds = {
  headers_ms: 15_000,
  body_ms: 15_000,
  request_ms: 120_000,
  silence_ms: 30_000,
  keep_alive_ms: 5_000,
  check_ms: 5_000,
  unanswered: 32,
  connections: 16_000,
};

const LIVE_PATH = '/socket.io/';

/**
 * Only the live path changes its protocol; anywhere else the wish is ignored, as HTTP has it, and the request answered.
 * With a body before it, a connection would be handed over half-read.
 */
function mayUpgrade(req: IncomingMessage): boolean {
  return !hasBody(req) && (req.url ?? '').startsWith(LIVE_PATH);
}

/** The options of a server whose connections are bounded, and which goes live only with its own pages. */
export function serverOptions(
  { headers_ms, request_ms, keep_alive_ms, check_ms }: ConnectionBounds,
  env: Pick<Env, 'PUBLIC_URL'>,
): ServerOptions {
  return {
    headersTimeout: headers_ms,
    requestTimeout: request_ms,
    keepAliveTimeout: keep_alive_ms,
    connectionsCheckingInterval: check_ms,
    // Node would answer without a body: `hasOneHost` sees to it.
    requireHostHeader: false,
    shouldUpgradeCallback: (req) => mayUpgrade(req) && hasOneHost(req) && isOwn(req, env),
  };
}

export interface Connections {
  open: ReadonlySet<Socket>;
  /** A request of this one was answered. */
  renew: Room['renew'];
  /** This one shows a credential: it is not ended for others to come. */
  spare: Room['spare'];
}

/**
 * Watches over a server's connections, live ones included, from before the first of them. Whoever comes when all places
 * are taken gets that of the address which has most, where it was of no use for longest: a stranger who holds all they
 * can takes them from themselves.
 */
export function guardConnections(http: Server, { silence_ms, connections }: ConnectionBounds): Connections {
  const open = new Set<Socket>();
  const room = createRoom();
  http.timeout = silence_ms;
  http.on('connection', (connection) => {
    connection.once('close', () => open.delete(connection));
    // Node and the live protocol listen themselves, but neither does while a connection passes from one to the other,
    // and there a reset without a listener would end the process.
    connection.on('error', () => connection.destroy());
    connection.on('timeout', () => connection.destroy());
    const isFull = open.size >= connections;
    const ended = isFull ? room.make() : null;
    if (isFull && !ended) {
      connection.destroy();
      return;
    }
    // Not only when it says that it is closed: by then further ones may have come.
    if (ended) open.delete(ended);
    open.add(connection);
    room.add(connection);
  });
  return { open, renew: room.renew, spare: room.spare };
}

export interface Unanswered {
  listener: RequestListener;
  /** Whether part of an answer has gone out on a connection. */
  isMidAnswer: (connection: Socket) => boolean;
}

/** Ends a connection that sends requests faster than it reads their answers, before anything more is done for it. */
export function boundUnanswered(answer: RequestListener, { unanswered }: Pick<ConnectionBounds, 'unanswered'>): Unanswered {
  const waiting = new WeakMap<Socket, Set<ServerResponse>>();
  const listener: RequestListener = (req, res) => {
    const { socket } = req;
    // Node parses all requests of a packet, even after the first of them ended the connection.
    if (socket.destroyed) return;
    const answers = waiting.get(socket) ?? new Set();
    if (answers.size >= unanswered) {
      socket.destroy();
      return;
    }
    waiting.set(socket, answers.add(res));
    res.once('close', () => answers.delete(res));
    answer(req, res);
  };
  return {
    listener,
    isMidAnswer: (connection) =>
      waiting
        .get(connection)
        ?.values()
        .some(({ headersSent }) => headersSent) ?? false,
  };
}
