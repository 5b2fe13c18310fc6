import type { ErrorCode } from './error-codes.ts';

export type { ErrorCode };

export type Json = string | number | boolean | null | Json[] | { readonly [key: string]: Json };

/** The values for a code's sentence, and lists of conflicting records. */
export type Params = Readonly<Record<string, Json>>;

/** The parameter that chooses between singular and plural in a refusal's sentence: a count, or seconds to wait. */
export function pluralCount({ count, seconds }: Params): { count?: number } {
  const number = count ?? seconds;
  return typeof number === 'number' ? { count: number } : {};
}

/** A refusal by a rule of the product. The only error that reaches a user with its reason. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly params: Params;

  constructor(code: ErrorCode, params: Params = {}) {
    super(code);
    this.code = code;
    this.params = params;
  }
}

/** @throws DomainError with this code if nothing was found */
export function existing<T>(found: T | null | undefined, code: ErrorCode, params?: Params): T {
  if (found === null || found === undefined) throw new DomainError(code, params);
  return found;
}
