import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ADMIN_KINDS, type HandshakeAuth, type Kind, MEMBER_KINDS } from '../../../shared/live.ts';
import { BoardWatcher } from '../../test/board-watcher.ts';

const RETRY_MS = 50;

/** Somebody whose page stays open through everything: connects again whenever the connection is lost. */
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

  /** @returns in what the board differs from a fresh snapshot, once it had time to hear of everything */
  async differences(limit_ms: number): Promise<string[]> {
    const fresh = new BoardWatcher(this.#url, this.#auth);
    try {
      const connected = await Promise.race([fresh.connect().then(() => true), pause(limit_ms, false, { ref: false })]);
      if (!connected) return [`${this.#name}: a fresh watcher got no board within ${limit_ms} ms`];
      const { clock } = fresh.board;
      const heard = await Promise.race([this.#watcher.reached(clock).then(() => true), pause(limit_ms, false, { ref: false })]);
      if (!heard) return [`${this.#name} holds clock ${this.#watcher.board.clock} and did not reach ${clock} within ${limit_ms} ms`];
      const kinds = 'admin_token' in this.#auth ? ADMIN_KINDS : MEMBER_KINDS;
      return kinds.filter((kind) => !equal(kind, this.#watcher, fresh)).map((kind) => `${this.#name}: ${kind} differs at clock ${clock}`);
    } catch (error) {
      return [`${this.#name}: a fresh watcher could not connect: ${String(error)}`];
    } finally {
      fresh.disconnect();
    }
  }
}

function equal(kind: Kind, held: BoardWatcher, fresh: BoardWatcher): boolean {
  const [mine, wanted] = [held.records(kind), fresh.records(kind)];
  // The log keeps growing on a screen; a snapshot starts with the latest hundred.
  if (kind === 'activity') for (const id of mine.keys()) if (!wanted.has(id)) mine.delete(id);
  return isDeepStrictEqual(mine, wanted);
}
