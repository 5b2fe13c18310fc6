import type { ErrorRequestHandler } from 'express';
import { DomainError, errorStatus, isErrorCode } from '../../shared/errors.ts';
import type { Context } from '../context.ts';
import { refusalOf, toDomainError } from '../refusals.ts';

/**
 * The only translator from errors to HTTP. What is not a refusal of ours is answered in general terms, logged and
 * counted. Where an answer had begun it is cut off: whoever reads it sees that it is not whole.
 */
export function answerErrors({ log, metrics }: Pick<Context, 'log' | 'metrics'>): ErrorRequestHandler {
  return (error: unknown, _req, res, _next) => {
    const refusal = refusalIn(error);
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

/** Errors of the body parser, which carry an HTTP status, are refusals too. */
function refusalIn(error: unknown): DomainError {
  const refusal = toDomainError(error);
  const status = refusal.code === 'server.failed' && error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 404) return new DomainError('request.notFound');
  if (status === 413) return new DomainError('request.tooLarge');
  if (typeof status === 'number' && status >= 400 && status < 500) return new DomainError('request.malformed');
  return refusal;
}

/** The first thing that is wrong with an input, as one of our codes where the field has one, else by the field's name. */
export function refusedInput(issues: readonly { message: string; path: readonly PropertyKey[] }[]): DomainError {
  const [issue] = issues;
  const field = issue?.path.map(String).join('.') ?? '';
  if (issue && isErrorCode(issue.message)) return new DomainError(issue.message, { field });
  return new DomainError('request.invalid', { field });
}
