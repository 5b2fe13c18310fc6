import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import i18next from 'i18next';
import { errors, isErrorCode } from '../../shared/error-codes.ts';
import { DomainError, type ErrorCode, type Params, pluralCount } from '../../shared/errors.ts';
import type { Refusal } from '../../shared/live.ts';
import en from '../../shared/locales/en.json' with { type: 'json' };
import es from '../../shared/locales/es.json' with { type: 'json' };
import pt from '../../shared/locales/pt.json' with { type: 'json' };
import { SENTENCE_KEYS } from '../../shared/sentence-keys.ts';
import { RETRY_AFTER_S, refusalOfDatabase } from '../db/errors.ts';
import { type HttpMetrics, noteAnswer } from './request-log.ts';

/** RFC 9110 wants a scheme with every 401. Browsers show no dialog for this one. */
const CHALLENGE = 'Bearer realm="Claimboard"';

/** Headers of the answer that an error replaces. */
const OF_THE_REPLACED = [
  'Content-Type',
  'Content-Encoding',
  'ETag',
  'Last-Modified',
  'Accept-Ranges',
  'Content-Disposition',
];

/**
 * The only translator from errors to HTTP. An error that is not a refusal is answered in general terms, counted, and logged
 * with its request. If the response has already started, the connection is closed, so that the client sees that it is incomplete.
 */
export function answerErrors({ metrics }: { metrics: HttpMetrics }): ErrorRequestHandler {
  return (error: unknown, _req, res, _next) => {
    const { code, params } = refusalIn(error);
    const isFailure = code === 'server.failed' || code.startsWith('server.storage');
    noteAnswer(res, isFailure ? { code, err: error } : { code });
    if (code === 'server.failed') metrics.failures.inc({ where: 'http' });
    if (res.headersSent) {
      res.destroy();
      return;
    }
    for (const header of OF_THE_REPLACED) res.removeHeader(header);
    res.set('Cache-Control', 'no-store');
    const { status } = errors[code];
    if (status === 401) res.set('WWW-Authenticate', CHALLENGE);
    const seconds = retryAfterSeconds(code, params);
    if (seconds !== null) res.set('Retry-After', String(seconds));
    res.status(status).json(refusalOf(code, params));
  };
}

/** Seconds until the caller may try again; null if that would not help. */
function retryAfterSeconds(code: ErrorCode, { seconds }: Params): number | null {
  if (typeof seconds === 'number') return seconds;
  const { status, class: kind } = errors[code];
  return kind === 'later' && (status === 503 || status === 429) ? RETRY_AFTER_S : null;
}

/** Errors of the body parser, which carry an HTTP status, are refusals too. */
function refusalIn(error: unknown): DomainError {
  const refusal = toDomainError(error);
  const status =
    refusal.code === 'server.failed' && error instanceof Error && 'status' in error
      ? error.status
      : undefined;
  if (status === 404) return new DomainError('request.notFound');
  if (status === 413) return new DomainError('request.tooLarge');
  if (status === 415) return new DomainError('request.notJson');
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new DomainError('request.malformed');
  return refusal;
}

/** The first problem of an input: by its own code if the field has one, else request.invalid with the field's name. */
export function refusedInput(
  issues: readonly { message: string; path: readonly PropertyKey[] }[],
): DomainError {
  const [issue] = issues;
  const field = issue?.path.map(String).join('.') ?? '';
  if (issue && isErrorCode(issue.message)) return new DomainError(issue.message, { field });
  return new DomainError('request.invalid', { field });
}

/** The sentences of refusals. */
export const english = i18next.createInstance();
await english.init({
  lng: 'en',
  resources: { en: { translation: en } },
  interpolation: { escapeValue: false },
});
// Pages format days by the reader's locale; callers of the API get them as stored.
english.services.formatter?.add('day', String);
english.services.formatter?.add('moment', String);

/** The English sentence, the stable code and its parameters: the shape of every failure. */
export function refusalOf(code: ErrorCode, params: Params = {}): Refusal {
  return {
    error: english.t(`errors.${code}`, { ...params, ...pluralCount(params) }),
    code,
    params,
  };
}

/** Any error as a refusal: failures of the database have codes of their own, others are server.failed. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  return refusalOfDatabase(error) ?? new DomainError('server.failed');
}

/** Refuses a request before any middleware sees it, and closes its connection. */
export function refuseAtOnce(res: ServerResponse, code: ErrorCode): void {
  noteAnswer(res, { code });
  const body = JSON.stringify(refusalOf(code));
  const seconds = retryAfterSeconds(code, {});
  res.writeHead(errors[code].status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(seconds === null ? {} : { 'Retry-After': seconds }),
    Connection: 'close',
  });
  res.end(body);
}

/** The sentences that the server sends to people outside the pages, in their own language. */
const sentences = i18next.createInstance();
await sentences.init({
  fallbackLng: 'en',
  resources: { en: { translation: en }, es: { translation: es }, pt: { translation: pt } },
  ...SENTENCE_KEYS,
  interpolation: { escapeValue: false },
});

sentences.services.formatter?.add('day', (date, language) =>
  new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  }).format(new Date(`${date}T00:00:00Z`)),
);

sentences.services.formatter?.add('moment', (at, language) =>
  new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(String(at))),
);

export const sentencesIn = (language: string) => sentences.getFixedT(language);

/** The sentence of a refusal in a reader's language. */
export const refusalText = ({ code, params }: DomainError, language: string): string =>
  sentences.t(`errors.${code}`, { lng: language, ...params, ...pluralCount(params) });
