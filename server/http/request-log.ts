import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { LevelWithSilent, Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import type { Counter, Histogram } from 'prom-client';
import type { ErrorCode } from '../../shared/errors.ts';
import { REQUEST_ID, REQUEST_ID_HEADER } from '../../shared/request-id.ts';
import type { Env } from '../env.ts';
import { createLogLimit } from './log-limit.ts';

/** Kinds of refusals (route, status and code) to limit: more than all routes have. */
const MAX_REFUSAL_KINDS = 5_000;

/** Half a UUID: 16 digits, which a member can read out to an admin. Node draws UUIDs from cached randomness. */
export const newRequestId = (): string => randomUUID().replaceAll('-', '').slice(16);

export interface HttpMetrics {
  requests: Pick<Histogram<'method' | 'route' | 'status'>, 'startTimer'>;
  /** Errors that are not refusals. */
  failures: Pick<Counter<'where'>, 'inc'>;
}

export interface LogContext {
  log: Logger;
  env: Pick<Env, 'TRUST_PROXY'>;
}

/** A handler's outcome beyond the HTTP status. */
interface AnswerNotes {
  /** The pattern of the route, where no Express route answers. */
  route?: string;
  code?: ErrorCode;
  /** Why the request failed, where the refusal itself does not tell. */
  err?: unknown;
  /** Refusals of the same kind that were not logged since the last line. */
  left_out?: number;
}

const notes = new WeakMap<ServerResponse, AnswerNotes>();

/** Notes something for the log line of this answer. */
export function noteAnswer(res: ServerResponse, more: AnswerNotes): void {
  notes.set(res, { ...notes.get(res), ...more });
}

/** The pattern of the route that answered, never the path itself: paths hold ids and tokens. */
export function routeOf(req: IncomingMessage, res: ServerResponse): string {
  const noted = notes.get(res)?.route;
  if (noted !== undefined) return noted;
  const route =
    'route' in req && req.route instanceof Object && 'path' in req.route ? req.route.path : null;
  if (typeof route !== 'string') return 'other';
  // Express has removed the router's own prefix from `baseUrl` by the time the answer is sent.
  const url = 'originalUrl' in req ? String(req.originalUrl) : '';
  return (url.startsWith('/api/') ? '/api' : '') + route;
}

type Level = Extract<LevelWithSilent, 'error' | 'warn' | 'info' | 'debug'>;

function levelOf(res: ServerResponse): Level {
  if (notes.get(res)?.err !== undefined) return 'error';
  // The client left before the answer was complete.
  if (!res.writableEnded) return 'debug';
  if (res.statusCode >= 500) return 'warn';
  return res.statusCode >= 400 ? 'info' : 'debug';
}

function messageOf(res: ServerResponse): string {
  if (notes.get(res)?.err !== undefined) return 'request failed';
  if (!res.writableEnded) return 'request aborted by the client';
  return res.statusCode >= 400 ? 'request refused' : 'request answered';
}

/**
 * Gives every request an id, which its answer repeats, and logs it: failures as errors, refusals as information, all others at
 * LOG_LEVEL=debug. Never logs paths, query strings, headers or bodies.
 *
 * Anonymous requests can be refused without end, so only one refusal of each route, status and code is logged a minute, with how
 * many were left out; LOG_LEVEL=debug has them all.
 */
export function logRequests({ log, env }: LogContext): RequestListener {
  const limitRefusals = createLogLimit({ max_kinds: MAX_REFUSAL_KINDS });
  const limitedLevelOf = (req: IncomingMessage, res: ServerResponse): Level => {
    const level = levelOf(res);
    if (level !== 'info') return level;
    let limited: Level = 'debug';
    limitRefusals(
      `${routeOf(req, res)} ${res.statusCode} ${notes.get(res)?.code ?? ''}`,
      (left_out) => {
        limited = 'info';
        if (left_out > 0) noteAnswer(res, { left_out });
      },
    );
    return limited;
  };
  const ofAnswer = (
    req: IncomingMessage,
    res: ServerResponse,
    { responseTime }: { responseTime: number },
  ) => {
    const { code, err, left_out } = notes.get(res) ?? {};
    return {
      request_id: req.id,
      method: req.method,
      route: routeOf(req, res),
      status: res.statusCode,
      ...(code === undefined ? {} : { code }),
      ms: responseTime,
      ...(left_out === undefined ? {} : { left_out }),
      ...(err === undefined ? {} : { err }),
    };
  };
  const logRequest = pinoHttp<IncomingMessage, ServerResponse>({
    logger: log,
    genReqId: ({ headers }) => {
      const given = env.TRUST_PROXY === '1' ? headers['x-request-id'] : undefined;
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : newRequestId();
    },
    // Neither copies the request's headers nor makes a second child logger for each request.
    wrapSerializers: false,
    serializers: { req: () => undefined },
    quietResLogger: true,
    customLogLevel: limitedLevelOf,
    customSuccessMessage: (_req, res) => messageOf(res),
    customErrorMessage: (_req, res) => messageOf(res),
    customSuccessObject: ofAnswer,
    customErrorObject: (req, res, _error, values) => ofAnswer(req, res, values),
  });
  return (req, res) => {
    logRequest(req, res);
    res.setHeader(REQUEST_ID_HEADER, String(req.id));
  };
}
