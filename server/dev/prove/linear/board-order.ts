import { isDeepStrictEqual } from 'node:util';
import type { Seen } from './history.ts';

/** A whole board that a server answered, and the clock that it says it is of. */
export interface BoardRead {
  server: number;
  began: number;
  answered: number;
  clock: number;
  claims: readonly Seen[];
}

/**
 * Invariants of whole boards, which each server caches until it learns of a newer one: a server never answers an older board
 * than before, and boards of one clock are equal on all servers.
 */
export function boardsOutOfOrder(reads: readonly BoardRead[]): string[] {
  const failures: string[] = [];
  for (const [at, read] of reads.entries()) {
    for (const other of reads.slice(at + 1)) {
      if (read.clock === other.clock && !isDeepStrictEqual(read.claims, other.claims))
        failures.push(`two boards of clock ${read.clock} differ`);
      const [earlier, later] =
        read.answered < other.began
          ? [read, other]
          : other.answered < read.began
            ? [other, read]
            : [];
      if (earlier && later && earlier.server === later.server && later.clock < earlier.clock) {
        failures.push(
          `server ${later.server} answered the board of clock ${later.clock} after that of clock ${earlier.clock}`,
        );
      }
    }
  }
  return failures;
}
