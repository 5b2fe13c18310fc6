import { type LookupAddress, lookup as lookupInThread } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { z } from 'zod';
import { isChannelRefusal, refusedByDiscord } from '../../../shared/rules/delivery-failures.ts';
import type { DestinationKind, SwitchedOff } from '../../../shared/schemas/destination.ts';
import type { Env } from '../../env.ts';
import type { Metrics } from '../../http/metrics.ts';
import type { JobContext } from '../../jobs/job-kind.ts';
import { isAllowedProtocol, isPrivateAddress } from './allowed-urls.ts';

/** How long a message may take, from the lookup of the name to the end of the answer, in milliseconds. */
const TIMEOUT_MS = 15_000;
/** Longest body of a message, in bytes. */
export const MAX_SENT_BYTES = 262_144;
/** Bytes of an answer to read; then the connection is cut. */
export const MAX_READ_BYTES = 65_536;
/** Bytes of an answer to keep. */
export const MAX_KEPT_BYTES = 2_048;
/** Replace this many reused connections that turn out to be closed, for one message. */
const MAX_RECONNECTS = 2;

/** `private`: not a public address. `stopped`: the caller aborted. `unreadable`: the answer is not HTTP. */
type PostFailure =
  | 'timeout'
  | 'stopped'
  | 'private'
  | 'notAllowed'
  | 'unknownHost'
  | 'unreachable'
  | 'tls'
  | 'reset'
  | 'tooLarge'
  | 'unreadable';

/** `body` is cut to `kept_bytes`. */
export type Answer =
  | { ok: true; status: number; headers: IncomingHttpHeaders; body: string }
  | { ok: false; error: PostFailure };

export type OutboundMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface OutboundMessage {
  url: string;
  /** By default POST. */
  method?: OutboundMethod;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  signal?: AbortSignal;
  /** Bytes of the answer to keep, `MAX_READ_BYTES` at most; by default `MAX_KEPT_BYTES`, for people to read. */
  kept_bytes?: number;
}

/** Posts one message to a foreign server. Never throws, and no error names the URL, which is a secret. */
export type Post = (message: OutboundMessage) => Promise<Answer>;

export interface PostOptions extends AgentOptions {
  /** For tests. */
  within_ms?: number;
}

/**
 * The only way out to addresses that users typed: https only, checked at the address that is connected to, no redirects, bounded
 * bodies and time. ALLOW_PRIVATE_DESTINATIONS lifts https and the address check.
 */
export function createPost(
  env: Pick<Env, 'ALLOW_PRIVATE_DESTINATIONS'>,
  { within_ms = TIMEOUT_MS, ...options }: PostOptions = {},
): Post {
  const agents = createAgents(env, options);
  return async ({ url, method = 'POST', headers, body, signal, kept_bytes = MAX_KEPT_BYTES }) => {
    const timeout = AbortSignal.timeout(within_ms);
    const aborted = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      if (Buffer.byteLength(body) > MAX_SENT_BYTES) return { ok: false, error: 'tooLarge' };
      const to = new URL(url);
      if (!isAllowedProtocol(env, to)) return { ok: false, error: 'notAllowed' };
      if (!allowsPrivate(env) && isPrivateAddress(to.hostname)) throw new PrivateAddress();
      for (let reconnects = 0; ; reconnects += 1) {
        const attempt = await send(to, agents, {
          method,
          headers,
          body,
          signal: aborted,
          kept_bytes,
        });
        if (attempt.type === 'answer') return { ok: true, ...attempt.answer };
        // The receiver had closed the idle connection. Sending twice is harmless: the message's id stays the same.
        if (
          attempt.wasReused &&
          failureOf(attempt.error) === 'reset' &&
          reconnects < MAX_RECONNECTS
        )
          continue;
        throw attempt.error;
      }
    } catch (error) {
      if (timeout.aborted) return { ok: false, error: 'timeout' };
      return { ok: false, error: aborted.aborted ? 'stopped' : failureOf(error) };
    }
  };
}

type Attempt =
  | { type: 'answer'; answer: { status: number; headers: IncomingHttpHeaders; body: string } }
  | { type: 'failure'; error: unknown; wasReused: boolean };

function send(
  to: URL,
  agents: Agents,
  { method, headers, body, signal, kept_bytes = MAX_KEPT_BYTES }: Omit<OutboundMessage, 'url'>,
): Promise<Attempt> {
  return new Promise((resolve) => {
    const [open, agent] =
      to.protocol === 'https:' ? [requestHttps, agents.https] : [requestHttp, agents.http];
    const request = open(to, {
      method,
      agent,
      headers: { 'user-agent': 'Claimboard', ...headers },
      ...(signal ? { signal } : {}),
    });
    let isAnswered = false;
    request.once('response', (response) => {
      isAnswered = true;
      const { statusCode: status = 0, headers } = response;
      void readBeginning(response, kept_bytes).then((body) =>
        resolve({ type: 'answer', answer: { status, headers, body } }),
      );
    });
    const fail = (error: unknown): void =>
      void (isAnswered || resolve({ type: 'failure', error, wasReused: request.reusedSocket }));
    // Not `once`: an error after the answer must not end the process.
    request.on('error', fail);
    // An answer in another protocol emits neither an answer nor an error.
    request.once('close', () => fail(null));
    request.end(body);
  });
}

/** The status decides. A body that breaks off is no failure. */
async function readBeginning(response: IncomingMessage, kept_bytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Leaving the loop ends the connection.
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_READ_BYTES) break;
    }
  } catch {}
  return Buffer.concat(chunks).subarray(0, kept_bytes).toString();
}

const FAILURES: readonly [RegExp, PostFailure][] = [
  [/^(ENOTFOUND|EAI_\w+|ENODATA|ETIMEOUT|ESERVFAIL)$/, 'unknownHost'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'reset'],
  [/^(HPE_\w+|ERR_HTTP_\w+)$/, 'unreadable'],
  [/^(ERR_INVALID_\w+|ERR_UNESCAPED_CHARACTERS)$/, 'notAllowed'],
  [/CERT|^(ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_CA)/, 'tls'],
];

/** The error's text names the host, so only its kind is reported. */
function failureOf(error: unknown): PostFailure {
  if (error instanceof PrivateAddress) return 'private';
  if (error === null) return 'unreadable';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return FAILURES.find(([codes]) => codes.test(code))?.[1] ?? 'unreachable';
}

/** The consequence of an answer, or of none, for the message and its receiver. `error` is shown to admins. */
export type Verdict =
  | { type: 'delivered' }
  /** Retry, not before `after_s` seconds if the receiver asked for a pause. */
  | { type: 'again'; error: string; after_s: number | null }
  /** The receiver will never take this message: leave it out. */
  | { type: 'never'; error: string }
  /** The address is dead: switch the receiver off. */
  | { type: 'off'; error: string; switched_off: SwitchedOff };

/** Longest pause that a receiver may ask for, in seconds. */
const MAX_RETRY_AFTER_S = 3_600;

const SWITCHES_OFF: {
  readonly [K in DestinationKind]: { readonly [status: number]: SwitchedOff };
} = {
  webhook: { 404: 'gone', 410: 'gone' },
  discord: { 401: 'refused', 404: 'gone', 410: 'gone' },
};

export function judgeAnswer(kind: DestinationKind, answer: Answer, now: Date): Verdict {
  if (!answer.ok && answer.error === 'tooLarge') return { type: 'never', error: answer.error };
  if (!answer.ok) return { type: 'again', error: answer.error, after_s: null };
  const { status } = answer;
  if (status >= 200 && status < 300) return { type: 'delivered' };
  const refusal =
    kind === 'discord' && status === 400
      ? discordRefusal.safeParse(jsonOf(answer.body)).data
      : undefined;
  if (refusal) {
    const error = refusedByDiscord(refusal);
    return isChannelRefusal(refusal.code)
      ? { type: 'again', error, after_s: null }
      : { type: 'never', error };
  }
  const error = `HTTP ${status}`;
  const switched_off = SWITCHES_OFF[kind][status];
  return switched_off
    ? { type: 'off', error, switched_off }
    : { type: 'again', error, after_s: retryAfter(answer, now) };
}

const discordRefusal = z.object({
  code: z.number().int().min(0).max(9_999_999),
  message: z.string(),
});

/** Discord also says it in the body, more exactly. */
const rateLimit = z.object({ retry_after: z.number().min(0) });

/** The pause that a receiver asked for, in seconds; null: none. */
export function retryAfter(
  { headers, body }: Extract<Answer, { ok: true }>,
  now: Date,
): number | null {
  const seconds = secondsInHeader(headers['retry-after'], now) ?? secondsInBody(body);
  return seconds === null ? null : Math.min(Math.ceil(seconds), MAX_RETRY_AFTER_S);
}

/** Seconds, or an HTTP date. */
function secondsInHeader(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, (at - now.getTime()) / 1000);
}

const secondsInBody = (body: string): number | null =>
  rateLimit.safeParse(jsonOf(body)).data?.retry_after ?? null;

/** @returns null for a body that is no JSON, or was cut off */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Each checks the addresses that a name leads to when it connects. */
interface Agents {
  http: HttpAgent;
  https: HttpsAgent;
}

/** For tests. */
interface AgentOptions {
  lookup?: LookupFunction;
  ca?: string;
}

/** Keep this many connections to a host open for the next message, for this long, in milliseconds. */
const MAX_IDLE_SOCKETS = 1;
const IDLE_TIMEOUT_MS = 5_000;

const allowsPrivate = (env: Pick<Env, 'ALLOW_PRIVATE_DESTINATIONS'>): boolean =>
  env.ALLOW_PRIVATE_DESTINATIONS === '1';

function createAgents(
  env: Pick<Env, 'ALLOW_PRIVATE_DESTINATIONS'>,
  { lookup = createLookup(), ca }: AgentOptions,
): Agents {
  const options = {
    keepAlive: true,
    maxFreeSockets: MAX_IDLE_SOCKETS,
    timeout: IDLE_TIMEOUT_MS,
    lookup: allowsPrivate(env) ? lookup : refusingPrivate(lookup),
    ...(ca ? { ca } : {}),
  };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

class PrivateAddress extends Error {}

const refusingPrivate =
  (lookup: LookupFunction): LookupFunction =>
  (name, options, done) =>
    lookup(name, options, (error, found, family) => {
      // After an error `found` may be undefined.
      const refused = error
        ? undefined
        : [found]
            .flat()
            .find((each) => isPrivateAddress(typeof each === 'string' ? each : each.address));
      if (refused === undefined) done(error, found, family);
      else done(new PrivateAddress(), '');
    });

/** Ask each name server this often, and wait this long for it, in milliseconds. */
const RESOLVER_OPTIONS = { timeout: 3_000, tries: 2 };

/**
 * Resolves names without Node's few DNS threads: names whose servers are dead would block these, and with them every other
 * lookup. Only names that no name server knows go to a thread, since they may be in the hosts file or the local network.
 * @param servers for tests: instead of the machine's name servers
 */
export function createLookup(servers?: readonly string[]): LookupFunction {
  return (name, options, done) => {
    // A new one each time: it reads the machine's name servers once, and they change with the network.
    const resolver = new Resolver(RESOLVER_OPTIONS);
    if (servers) resolver.setServers(servers);
    void Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]).then((answers) => {
      const found = answers.flatMap((answer, at): LookupAddress[] =>
        answer.status === 'fulfilled'
          ? answer.value.map((address) => ({ address, family: at === 0 ? 4 : 6 }))
          : [],
      );
      const [first] = found;
      if (first) return options.all ? done(null, found) : done(null, first.address, first.family);
      const timeout = answers.find(
        (answer) => answer.status === 'rejected' && answer.reason?.code === 'ETIMEOUT',
      );
      // A thread would wait for the same silent name server.
      if (timeout?.status === 'rejected') return done(timeout.reason, '');
      return lookupInThread(name, options, done);
    });
  };
}

/** The context of requests to other servers. */
export interface Sending extends JobContext {
  post: Post;
  metrics: Metrics;
}
