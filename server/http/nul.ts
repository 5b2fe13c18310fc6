import type { RequestHandler } from 'express';
import { DomainError } from '../../shared/errors.ts';

const NUL = '\u0000';

/** A reviver for JSON.parse: PostgreSQL stores no NUL character, and no name, key or template has one. */
export function refuseNul(_key: string, value: unknown): unknown {
  // The body parser keeps of an error only that the JSON is wrong.
  if (typeof value === 'string' && value.includes(NUL)) throw new SyntaxError('a text holds a NUL character');
  return value;
}

/** The same for paths and queries. */
export const refuseNulInUrl: RequestHandler = (req, _res, next) => {
  if (req.url.includes('%00')) throw new DomainError('request.malformed');
  next();
};

/** The same for the texts of a form. */
export function refuseNulInForm(fields: unknown): void {
  const texts: unknown[] = Object.values(fields ?? {}).flat();
  if (texts.some((text) => typeof text === 'string' && text.includes(NUL))) throw new DomainError('request.malformed');
}
