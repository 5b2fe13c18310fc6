import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ALL_KINDS, KINDS_SEEN, type Kind } from '../../../../shared/kinds.ts';
import type { HandshakeAuth } from '../../../../shared/live.ts';
import { BoardWatcher } from '../../test/board-watcher.ts';

const RETRY_MS = 50;

/** A page that stays open through everything and reconnects whenever the connection is lost. */
export class Onlooker {
  readonly #name: string;
  readonly #url: string;
  readonly #auth: HandshakeAuth;
  readonly #watcher: BoardWatcher;
  #left = false;

  constructor(name: string, url: string, auth: HandshakeAuth) {
    this.#name = name;
    this.#url = url;
    this.#auth = auth;
    this.#watcher = new BoardWatcher(url, auth);
    void this.#stay();
  }

  async #stay(): Promise<void> {
    while (!this.#left) {
      await this.#watcher.connect().then(
        () => this.#watcher.lost(),
        () => this.#watcher.disconnect(),
      );
      await pause(RETRY_MS);
    }
  }

  leave(): void {
    this.#left = true;
    this.#watcher.disconnect();
  }

  /**
   * Compares the board with a fresh watcher's, once both have caught up with the database.
   * @returns the differences, or who has not caught up in time
   */
  async differences(clock: number, limit_ms: number): Promise<string[]> {
    const fresh = new BoardWatcher(this.#url, this.#auth);
    const isAnswered = async (watcher: BoardWatcher): Promise<boolean> =>
      Promise.race([
        watcher.reached(clock).then(() => true),
        pause(limit_ms, false, { ref: false }),
      ]);
    try {
      const connected = fresh.connect();
      connected.catch(() => {});
      const both = [
        { who: this.#name, watcher: this.#watcher },
        { who: `beside ${this.#name} a fresh watcher`, watcher: fresh },
      ];
      const late = await Promise.all(
        both.map(async ({ who, watcher }) => ({
          who,
          watcher,
          late: !(await isAnswered(watcher)),
        })),
      );
      const failures = late.flatMap(({ who, watcher, late }) =>
        late
          ? [
              `${who} holds clock ${watcher.board.clock} and did not reach ${clock} within ${limit_ms} ms`,
            ]
          : [],
      );
      if (failures.length > 0) return failures;
      const kinds = 'admin_token' in this.#auth ? ALL_KINDS : KINDS_SEEN.members;
      const differences = kinds
        .map((kind) => difference(kind, this.#watcher, fresh))
        .filter((each) => each !== null);
      return differences.map(
        (each) =>
          `${this.#name} at clock ${this.#watcher.board.clock}, a fresh one at ${fresh.board.clock}: ${each}`,
      );
    } finally {
      fresh.disconnect();
    }
  }
}

/** The first record that differs, as it is held and as it is; null: none does. */
function difference(kind: Kind, held: BoardWatcher, fresh: BoardWatcher): string | null {
  const mine = held.records(kind);
  const wanted = fresh.records(kind);
  // The log keeps growing on a screen; a snapshot starts with the latest hundred.
  if (kind === 'activity') for (const id of mine.keys()) if (!wanted.has(id)) mine.delete(id);
  const id = [...mine.keys(), ...wanted.keys()].find(
    (each) => !isDeepStrictEqual(mine.get(each), wanted.get(each)),
  );
  return id === undefined
    ? null
    : `${kind} ${id} is held as ${JSON.stringify(mine.get(id))} and is ${JSON.stringify(wanted.get(id))}`;
}
