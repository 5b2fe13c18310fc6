/** The hours of one claim, a text for each respawn, in order, for comparing. */
export type Rows = readonly string[];
export type Claims = ReadonlyMap<number, Rows>;

const GONE: Rows = [];

/** One writer's record of its claims, which only it edits or deletes. */
export class Ledger {
  readonly #held = new Map<number, Rows>();
  readonly #gone = new Set<number>();
  /** Claims after an unanswered change: all changed, or none. */
  #uncertain: Claims = new Map();

  /** Claims that still exist, the oldest first. */
  get held(): Claims {
    return this.#held;
  }

  /** @throws Error when a claim is made that was made before */
  made(claims: Claims): void {
    for (const [id, rows] of claims) {
      if (this.#held.has(id) || this.#gone.has(id)) throw new Error(`claim ${id} was made twice`);
      this.#held.set(id, rows);
    }
  }

  edited(id: number, rows: Rows): void {
    this.#held.set(id, rows);
  }

  deleted(id: number): void {
    this.#held.delete(id);
    this.#gone.add(id);
  }

  maybeEdited(claims: Claims): void {
    this.#uncertain = new Map(
      [...claims].filter(([id, rows]) => !same(this.#held.get(id) ?? GONE, rows)),
    );
  }

  /** An unanswered deletion. */
  maybeDeleted(id: number): void {
    this.#uncertain = new Map([[id, GONE]]);
  }

  /**
   * Compares acknowledged claims with stored ones, and adopts the stored state after unanswered calls.
   * @returns the differences
   */
  compare(stored: Claims): string[] {
    const failures: string[] = [];
    const happened = [...this.#uncertain]
      .filter(([id, rows]) => same(stored.get(id) ?? GONE, rows))
      .map(([id]) => id);
    if (happened.length > 0 && happened.length < this.#uncertain.size)
      failures.push(`of one change only claim ${happened.join()} is stored`);
    for (const [id, rows] of [...this.#held]) {
      const found = stored.get(id) ?? GONE;
      if (same(found, rows)) continue;
      if (happened.includes(id)) {
        if (found === GONE) this.deleted(id);
        else this.edited(id, found);
      } else {
        failures.push(
          `claim ${id} was acknowledged as [${rows.join('; ')}] and is stored as [${found.join('; ')}]`,
        );
      }
    }
    for (const id of this.#gone)
      if (stored.has(id)) failures.push(`claim ${id} was acknowledged as deleted and is stored`);
    this.#uncertain = new Map();
    return failures;
  }
}

/** Stored claims that were never acknowledged: half a submission, or one stored twice. */
export function unaccounted(stored: Claims, ledgers: readonly Ledger[]): string[] {
  return [...stored]
    .filter(([id]) => !ledgers.some((ledger) => ledger.held.has(id)))
    .map(([id, rows]) => `claim ${id} [${rows.join('; ')}] is stored and was never acknowledged`);
}

const same = (one: Rows, other: Rows): boolean =>
  one.length === other.length && one.every((row, at) => row === other[at]);
