import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { RecordId } from '../../shared/record-table.ts';

/** How a snapshot lists the records of a kind. */
export interface ListRules<R> {
  order: (one: R, other: R) => number;
  /** The most records in a snapshot; without it, all of them. */
  limit?: number;
  /** Records are only added, at the top, so a full list can drop its last one without reading the database again. */
  isLog?: boolean;
}

/** Characters of JSON to write before yielding to the event loop: a few milliseconds of work. */
const CHUNK_LENGTH = 300_000;

/** Writes a list as a JSON array, in chunks. */
export async function writeJsonArray<T>(items: readonly T[], write: (item: T) => string): Promise<string> {
  const texts: string[] = [];
  let chunkLength = 0;
  let isLong = false;
  for (const item of items) {
    const text = write(item);
    texts.push(text);
    chunkLength += text.length;
    if (chunkLength < CHUNK_LENGTH) continue;
    chunkLength = 0;
    isLong = true;
    await yieldToEventLoop();
  }
  // Joining a long list takes milliseconds of its own.
  if (isLong) await yieldToEventLoop();
  return `[${texts.join(',')}]`;
}

/** Encodes a text; yields first if it is long. */
export async function encodeText(text: string): Promise<Buffer> {
  if (text.length > CHUNK_LENGTH) await yieldToEventLoop();
  return Buffer.from(text);
}

/** The records of one kind, in the order of a snapshot. A change costs a binary search and a move of pointers. */
export class RecordList<R> {
  readonly #rules: ListRules<R>;
  readonly #idOf: (record: R) => RecordId;
  readonly #limit: number;
  readonly #byId = new Map<RecordId, R>();
  readonly #sorted: R[];

  constructor(rules: ListRules<R>, idOf: (record: R) => RecordId, records: readonly R[]) {
    this.#rules = rules;
    this.#idOf = idOf;
    this.#limit = rules.limit ?? Number.POSITIVE_INFINITY;
    for (const record of records) this.#byId.set(idOf(record), record);
    this.#sorted = [...this.#byId.values()].sort(rules.order);
  }

  /** A copy that later changes leave as it is. */
  records(): readonly R[] {
    return this.#sorted.slice();
  }

  /** @returns false if the list is full: which record then belongs into it, only the database knows */
  put(record: R): boolean {
    const id = this.#idOf(record);
    const before = this.#byId.get(id);
    if (this.#byId.size >= this.#limit && !this.#rules.isLog) return false;
    if (before) this.#sorted.splice(this.#indexOf(before), 1);
    this.#byId.set(id, record);
    this.#sorted.splice(this.#indexOf(record), 0, record);
    const last = this.#sorted.length > this.#limit ? this.#sorted.pop() : undefined;
    if (last) this.#byId.delete(this.#idOf(last));
    return true;
  }

  /** @returns false likewise */
  remove(id: RecordId): boolean {
    if (this.#byId.size >= this.#limit) return false;
    const before = this.#byId.get(id);
    if (!before) return true;
    this.#sorted.splice(this.#indexOf(before), 1);
    this.#byId.delete(id);
    return true;
  }

  /** The first index whose record does not come before this one. */
  #indexOf(record: R): number {
    let [from, to] = [0, this.#sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const there = this.#sorted[middle];
      if (there !== undefined && this.#rules.order(there, record) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
