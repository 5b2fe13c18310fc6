import type { z } from 'zod';
import { type Kind, type RecordByKind, type RecordLists, type Room, recordId } from '../../shared/kinds.ts';
import type { RecordId } from '../../shared/record-table.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Tx } from '../db/open.ts';
import type { Env } from '../env.ts';
import { type ListRules, RecordList } from './record-list.ts';

/** What a feature reads its records from. */
export interface RecordReading {
  env: Env;
  now: () => Date;
  /** All kinds of one snapshot are read in this transaction. */
  tx: Tx;
  room: Room;
}

/**
 * The server's half of a record kind, exported by its feature and registered in `server/record-kinds.ts`. `read` and `order` must
 * agree: the read model inserts changed records where a fresh reading would list them.
 */
interface Declaration<R> extends ListRules<R> {
  schema: z.ZodType<R>;
  read: (from: RecordReading) => Promise<readonly R[]>;
}

export interface RecordSource<K extends Kind> {
  schema: z.ZodType<RecordByKind[K]>;
  read: (from: RecordReading) => Promise<RecordLists[K]>;
  createList: (records: RecordLists[K]) => ListsByKind[K];
}
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
export const recordSource = <K extends Kind>(kind: K, { schema, read, ...rules }: Declaration<RecordByKind[K]>) => ({
  schema,
  read,
  createList: (records: readonly RecordByKind[K][]) => new RecordList(rules, (record) => recordId(kind, record), records),
});

export const oldestFirst = (one: { id: number }, other: { id: number }): number => one.id - other.id;
export const newestFirst = (one: { id: number }, other: { id: number }): number => other.id - one.id;
export const byText = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
export const byName = (one: string, other: string): number => byText(nameKey(one), nameKey(other));
