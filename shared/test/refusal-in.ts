import { DomainError, type ErrorCode, type Params } from '../errors.ts';

/** The refusal that some work throws, or null when it passes. Any other error is thrown on. */
export function refusalIn(work: () => unknown): { code: ErrorCode; params: Params } | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, params: error.params };
    throw error;
  }
}
