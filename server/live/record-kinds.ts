import { z } from 'zod';
import {
  ALL_KINDS,
  type Kind,
  type RecordByKind,
  type RecordLists,
  type Room,
  recordId,
} from '../../shared/kinds.ts';
import type { RecordId } from '../../shared/record-table.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Reading, Tx } from '../db/database.ts';

interface RecordReading extends Reading {
  /** All kinds of one snapshot are read in this transaction. */
  tx: Tx;
  room: Room;
}

/** How a snapshot lists the records of a kind. */
interface ListRules<R> {
  order: (one: R, other: R) => number;
  /** The most records in a snapshot; without it, all of them. */
  limit?: number;
  /** Records are only added, at the top, so a full list can drop its last one without reading the database again. */
  isLog?: boolean;
}

/**
 * The server's half of a record kind, exported by its feature and registered in `server/features.ts`. `read` and `order` must
 * agree: the read model inserts changed records where a fresh reading would list them.
 */
interface Declaration<R> extends ListRules<R> {
  schema: z.ZodType<R>;
  read: (from: RecordReading) => Promise<readonly R[]>;
}

interface RecordSource<K extends Kind> {
  schema: z.ZodType<RecordByKind[K]>;
  read: (from: RecordReading) => Promise<RecordLists[K]>;
  createList: (records: RecordLists[K]) => ListsByKind[K];
}
export type KindsOfFeature = { readonly [K in Kind]?: RecordSource<K> };
export type RecordSources = { readonly [K in Kind]: RecordSource<K> };

/** Lists that follow change sets, one for each kind. */
export type ListsByKind = {
  readonly [K in Kind]: {
    put: (record: RecordByKind[K]) => boolean;
    remove: (id: RecordId) => boolean;
    records: () => RecordLists[K];
  };
};

/** Declares how the server validates, reads and lists the records of a kind. */
export const recordSource = <K extends Kind>(
  kind: K,
  { schema, read, ...rules }: Declaration<RecordByKind[K]>,
) => ({
  schema,
  read,
  createList: (records: readonly RecordByKind[K][]) =>
    new RecordList(rules, (record) => recordId(kind, record), records),
});

export const oldestFirst = (one: { id: number }, other: { id: number }): number =>
  one.id - other.id;
export const newestFirst = (one: { id: number }, other: { id: number }): number =>
  other.id - one.id;
export const byText = (one: string, other: string): number =>
  one === other ? 0 : one < other ? -1 : 1;
export const byName = (one: string, other: string): number => byText(nameKey(one), nameKey(other));

const noRecords = <K extends Kind>(kind: K) =>
  recordSource(kind, { schema: z.never(), read: async () => [], order: () => 0 });

/** How the server reads each kind; there are no records of one whose feature is left out. */
export const recordSourcesOf = (
  features: readonly { name: string; records?: KindsOfFeature }[],
): RecordSources =>
  Object.assign(
    {},
    ...ALL_KINDS.map((kind) => ({ [kind]: noRecords(kind) })),
    ...features.map(({ records }) => records),
  );

/** The records of one kind, in the order of a snapshot. A change costs a binary search and a move of pointers. */
class RecordList<R> {
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
    let from = 0;
    let to = this.#sorted.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const there = this.#sorted[middle];
      if (there !== undefined && this.#rules.order(there, record) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
