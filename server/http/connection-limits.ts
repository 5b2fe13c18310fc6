import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { REQUEST_ID_HEADER } from '../../shared/request-id.ts';
import type { Env } from '../env.ts';
import { type AddressHash, addressForLog, addressOf, isLoopback } from './client-address.ts';
import { refusalOf } from './errors.ts';
import { createLogLimit } from './log-limit.ts';
import { createUsage } from './rate-limits.ts';
import { hasBody } from './request-body.ts';
import { newRequestId } from './request-log.ts';
import { hasOneHost, isOwn } from './security-headers.ts';

/** Bounds of the memory that connections can use. Node enforces all but `waiting_requests`. */
export interface ConnectionLimits {
  /** Bytes of a request's head. Browsers send the cookies of a hundred characters, and the proxies of our samples pass them on. */
  head_bytes: number;
  /** Time for a request's head, in milliseconds. */
  headers_ms: number;
  /** Time for a whole request, in milliseconds. */
  request_ms: number;
  /**
   * Time without a byte in either direction, in milliseconds; twice as long if some of an answer was read before. Ends downloads that
   * are not read. The live protocol has pings.
   */
  silence_ms: number;
  /** Time until the next request of a connection, in milliseconds; Node adds a second. Longer than proxies keep theirs, mostly 60 s. */
  keep_alive_ms: number;
  /** How often Node looks for requests that take too long, in milliseconds. */
  check_ms: number;
  /**
   * Requests of one connection that wait for the answer before theirs. Neither browsers nor proxies send a request before they have
   * the last answer. One more ends the connection.
   */
  waiting_requests: number;
  /** Open connections: 5,000 watchers, each with two more requests under way. Further ones are closed at once. */
  connections: number;
  /**
   * Open connections of one address, so that no address can take them all. Behind a trusted proxy, where all come from it, requests
   * without an answer count by the address that the proxy names instead. This machine's own may be a proxy, and has no limit.
   */
  connections_per_address: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  head_bytes: 32_768,
  headers_ms: 15_000,
  request_ms: 120_000,
  silence_ms: 30_000,
  keep_alive_ms: 75_000,
  check_ms: 5_000,
  waiting_requests: 8,
  connections: 16_000,
  connections_per_address: 4_000,
};

const LIVE_PATH = '/socket.io/';

/**
 * Only the live path upgrades; elsewhere the wish is ignored, as HTTP allows, and the request answered. After a body the connection would
 * be handed over half-read.
 */
const mayUpgrade = (req: IncomingMessage): boolean =>
  !hasBody(req) && (req.url ?? '').startsWith(LIVE_PATH);

export function serverOptions(
  { head_bytes, headers_ms, request_ms, keep_alive_ms, check_ms }: ConnectionLimits,
  env: Pick<Env, 'PUBLIC_URL'>,
): ServerOptions {
  return {
    maxHeaderSize: head_bytes,
    headersTimeout: headers_ms,
    requestTimeout: request_ms,
    keepAliveTimeout: keep_alive_ms,
    connectionsCheckingInterval: check_ms,
    // `hasOneHost` refuses it with a body; Node would not.
    requireHostHeader: false,
    shouldUpgradeCallback: (req) => mayUpgrade(req) && hasOneHost(req) && isOwn(req, env),
  };
}

export interface ConnectionContext {
  env: Pick<Env, 'TRUST_PROXY'>;
  log: Pick<Logger, 'info'>;
  hashAddress: AddressHash;
}

const limitLog = createLogLimit();

export function logTooMany(
  ctx: ConnectionContext,
  what: 'connections' | 'requests',
  address: string,
): void {
  limitLog(what, (left_out) => {
    void addressForLog(ctx, address).then((address_hash) => {
      ctx.log.info(
        { address_hash, left_out },
        `an address has too many ${what}: further ones are closed`,
      );
    });
  });
}

/** Applies the limits to a server. @returns its open connections, live ones included */
export function limitConnections(
  http: Server,
  { silence_ms, connections, connections_per_address }: ConnectionLimits,
  ctx: ConnectionContext,
): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  const perAddress = createUsage();
  http.timeout = silence_ms;
  http.maxConnections = connections;
  http.on('connection', (connection) => {
    // Node and the live protocol listen themselves, but not while a connection passes from one to the other: there, a reset without a
    // listener would end the process.
    connection.on('error', () => connection.destroy());
    const address = addressOf({ headers: {}, socket: connection }, { TRUST_PROXY: '0' });
    const isOverLimit = perAddress.add(address) > connections_per_address;
    connection.once('close', () => perAddress.remove(address));
    if (isOverLimit && ctx.env.TRUST_PROXY !== '1' && !isLoopback(connection.remoteAddress ?? '')) {
      logTooMany(ctx, 'connections', address);
      connection.destroy();
      return;
    }
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    connection.on('timeout', () => connection.destroy());
  });
  return open;
}

const HEADER_OVERFLOW = 'HPE_HEADER_OVERFLOW';
const STATUS: Readonly<Record<string, string>> = {
  [HEADER_OVERFLOW]: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Answers requests that Node's parser rejects like every other refusal, and ends the connection.
 * @param isMidAnswer whether part of an answer has gone out on this connection, so that nothing may be added
 */
export function refuseUnparsable(
  http: Server,
  { log }: { log: Pick<Logger, 'debug'> },
  isMidAnswer: (connection: Socket) => boolean,
): void {
  http.on('clientError', (error: NodeJS.ErrnoException, connection: Socket) => {
    if (!connection.writable || error.code === 'ECONNRESET' || isMidAnswer(connection)) {
      connection.destroy();
      return;
    }
    const status = STATUS[error.code ?? ''] ?? '400 Bad Request';
    const request_id = newRequestId();
    const code = error.code === HEADER_OVERFLOW ? 'request.headersTooLarge' : 'request.malformed';
    const body = JSON.stringify(refusalOf(code));
    // Not a warning: connections that browsers open ahead and never use time out, too.
    log.debug(
      { request_id, status: Number.parseInt(status, 10), reason: error.code },
      'a request could not be parsed',
    );
    const head = [
      `HTTP/1.1 ${status}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${REQUEST_ID_HEADER}: ${request_id}`,
    ];
    connection.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => connection.destroy());
  });
}
