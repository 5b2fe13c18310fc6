import type { RequestHandler } from 'express';
import { DomainError } from '../../shared/errors.ts';

const NUL = '\u0000';

/**
 * PostgreSQL stores no NUL character, and half of a surrogate pair comes back from either database as another
 * character: what a write tells its watchers would not be what is stored. No name, key or template has one.
 */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes(NUL);

/** A reviver for JSON.parse. */
export function refuseUnstorable(_key: string, value: unknown): unknown {
  // The body parser keeps of an error only that the JSON is wrong.
  if (typeof value === 'string' && !isStorable(value)) throw new SyntaxError('a text cannot be stored as it is');
  return value;
}

/** The same for paths and queries, where what is no UTF-8 is refused, or replaced, by their parsers. */
export const refuseNulInUrl: RequestHandler = (req, _res, next) => {
  if (req.url.includes('%00')) throw new DomainError('request.malformed');
  next();
};

/** The same for the texts of a form. */
export function refuseUnstorableInForm(fields: unknown): void {
  const texts: unknown[] = Object.values(fields ?? {}).flat();
  if (texts.some((text) => typeof text === 'string' && !isStorable(text))) throw new DomainError('request.malformed');
}
