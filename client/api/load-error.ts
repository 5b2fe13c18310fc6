import { endsSession } from './request.ts';

/** The lists that are polled while the live connection is down. */
export type Load =
  | 'respawns'
  | 'claims'
  | 'categories'
  | 'memberTypes'
  | 'config'
  | 'accessKeys'
  | 'verifiedCodes'
  | 'adminRespawns'
  | 'adminData';

export class LoadError extends Error {
  override readonly name = 'LoadError';
  readonly load: Load;
  /** An ApiError or a FormatError; anything else is a bug. */
  readonly reason: unknown;

  constructor(load: Load, reason: unknown) {
    super(`could not load ${load}`);
    this.load = load;
    this.reason = reason;
  }
}

/** The answer should be a list but isn't. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  /** The `typeof` of the answer. */
  readonly got: string;

  constructor(answer: unknown) {
    super('expected an array');
    this.got = answer === null ? 'null' : typeof answer;
  }
}

/**
 * Adds to a failed call which list it was for.
 * @throws LoadError; a refusal that ends the session is thrown unchanged
 */
export async function loading<T>(load: Load, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw endsSession(error) ? error : new LoadError(load, error);
  }
}
