import { endsSession } from './request.ts';

/** What is read anew every ten seconds while the live connection is down. */
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

/** A reading that failed: of what, and why. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
  readonly load: Load;
  /** An ApiError or a FormatError; anything else is a mistake of ours. */
  readonly reason: unknown;

  constructor(load: Load, reason: unknown) {
    super(`could not load ${load}`);
    this.load = load;
    this.reason = reason;
  }
}

/** A list was asked for, and the answer is none. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  /** What came instead, as `typeof` says it. */
  readonly got: string;

  constructor(answer: unknown) {
    super('expected an array');
    this.got = answer === null ? 'null' : typeof answer;
  }
}

/**
 * Says of a failed call what was to be loaded by it.
 * @throws LoadError; a refusal that ends the session as it is
 */
export async function loading<T>(load: Load, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw endsSession(error) ? error : new LoadError(load, error);
  }
}
