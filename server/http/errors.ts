import type { ErrorRequestHandler } from 'express';
import { DomainError, errorStatus, isErrorCode } from '../../shared/errors.ts';
import { refusalOf, toDomainError } from './refusals.ts';
import { type HttpMetrics, noteAnswer } from './request-log.ts';

/** RFC 9110 wants a scheme with every 401. Browsers show no dialog for this one. */
const CHALLENGE = 'Bearer realm="Claimboard"';

/**
 * The only translator from errors to HTTP. An error that is not a refusal is answered in general terms, counted, and logged
 * with its request. If the answer has already begun, it is cut off, so that the client sees that it is incomplete.
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
    const status = errorStatus[code];
    if (status === 401) res.set('WWW-Authenticate', CHALLENGE);
    if (typeof params.seconds === 'number') res.set('Retry-After', String(params.seconds));
    res.status(status).json(refusalOf(code, params));
  };
}

/** Errors of the body parser, which carry an HTTP status, are refusals too. */
function refusalIn(error: unknown): DomainError {
  const refusal = toDomainError(error);
  const status = refusal.code === 'server.failed' && error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 404) return new DomainError('request.notFound');
  if (status === 413) return new DomainError('request.tooLarge');
  if (status === 415) return new DomainError('request.notJson');
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
