import type { RequestHandler } from 'express';
import { DomainError } from '../../shared/errors.ts';

const NUL = '\u0000';

/**
 * PostgreSQL stores no NUL character, and half of a surrogate pair comes back from either database as another
 * character: what a write tells its watchers would not be what is stored. No name, key or template has one.
 */
const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes(NUL);

/** Whether every text in what came as JSON can be stored. However deep it is nested, no stack grows with it. */
export function isStorable(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each === 'string' && !isStorableText(each)) return false;
    if (typeof each === 'object' && each !== null) for (const inner of Object.values(each)) left.push(inner);
  }
  return true;
}

/** The same for paths and queries, where what is no UTF-8 is refused, or replaced, by their parsers. */
export const refuseNulInUrl: RequestHandler = (req, _res, next) => {
  if (req.url.includes('%00')) throw new DomainError('request.malformed');
  next();
};

/** The same for the texts of a form. */
export function refuseUnstorableInForm(fields: unknown): void {
  if (!isStorable(fields)) throw new DomainError('request.malformed');
}
