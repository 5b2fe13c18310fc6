import type { ErrorRequestHandler } from 'express';
import i18next from 'i18next';
import { countIn, DomainError, type ErrorCode, errorStatus, isErrorCode, type Params } from '../../shared/errors.ts';
import type { Refusal } from '../../shared/live.ts';
import en from '../../shared/locales/en.json' with { type: 'json' };
import type { Context } from '../context.ts';
import { refusalOfDatabase } from '../db/failures.ts';

/** The sentences that the server says itself. */
export const english = i18next.createInstance();
await english.init({ lng: 'en', resources: { en: { translation: en } }, interpolation: { escapeValue: false } });

/** The English sentence, the stable code and its parameters: the shape of every failure. */
export function refusalOf(code: ErrorCode, params: Params = {}): Refusal {
  return { error: english.t(`errors.${code}`, { ...params, ...countIn(params) }), code, params };
}

/**
 * The only translator from errors to HTTP. What is not a refusal of ours is answered in general terms, logged and
 * counted. Where an answer had begun it is cut off: whoever reads it sees that it is not whole.
 */
export function answerErrors({ log, metrics }: Pick<Context, 'log' | 'metrics'>): ErrorRequestHandler {
  return (error: unknown, _req, res, _next) => {
    const refusal = toDomainError(error);
    if (refusal.code === 'server.failed') {
      log.error({ err: error }, 'a request failed');
      metrics.failures.inc({ where: 'http' });
    } else if (refusal.code.startsWith('server.storage')) log.error({ err: error }, 'the database file failed');
    const { seconds } = refusal.params;
    if (typeof seconds === 'number' && !res.headersSent) res.set('Retry-After', String(seconds));
    if (res.headersSent) res.destroy();
    else res.status(errorStatus[refusal.code]).json(refusalOf(refusal.code, refusal.params));
  };
}

/** Errors of the body parser, which carry an HTTP status, and a database that fails are refusals too. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const database = refusalOfDatabase(error);
  if (database) return database;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 404) return new DomainError('request.notFound');
  if (status === 413) return new DomainError('request.tooLarge');
  if (typeof status === 'number' && status >= 400 && status < 500) return new DomainError('request.malformed');
  return new DomainError('server.failed');
}

/** The first thing that is wrong with an input, as one of our codes where the field has one, else by the field's name. */
export function refusedInput(issues: readonly { message: string; path: readonly PropertyKey[] }[]): DomainError {
  const [issue] = issues;
  const field = issue?.path.map(String).join('.') ?? '';
  if (issue && isErrorCode(issue.message)) return new DomainError(issue.message, { field });
  return new DomainError('request.invalid', { field });
}
