import { isActivityAction } from './activity-actions.ts';
import { type RecordId, RecordTable } from './record-table.ts';
import type { AccessKey } from './schemas/access-key.ts';
import type { ActivityEntry } from './schemas/activity.ts';
import type { Category } from './schemas/category.ts';
import type { VerifiedCode } from './schemas/character.ts';
import type { Claim } from './schemas/claim.ts';
import type { Config } from './schemas/config.ts';
import type { Destination } from './schemas/destination.ts';
import type { Event } from './schemas/event.ts';
import type { EventTemplate } from './schemas/event-template.ts';
import type { MemberType } from './schemas/member-type.ts';
import type { Occupancy } from './schemas/occupancy.ts';
import type { Respawn } from './schemas/respawn.ts';
import type { Wait } from './schemas/wait.ts';

/** What is to be known of a kind of record to send it, keep it and tell who sees it. */
interface Declaration<R> {
  /** What identifies a record among those of its kind. */
  id: (record: R) => RecordId;
  /** Whether whoever sees the board sees records of this kind, whoever sees the dashboard, or those admins alone who run the guild. */
  seen_by: 'all' | 'dashboard' | 'admins';
  /** Which of them members see; admins see all. */
  isForMembers: (record: R) => boolean;
  /** Whether this version knows it: another one's is skipped. */
  isKnown: (record: R) => boolean;
  tableOf: (records: readonly R[]) => RecordTable<R>;
  /** What is left of a table where an admin is one no more. */
  tableForMembers: (table: RecordTable<R>) => RecordTable<R>;
}
interface ForAll<R> extends Declaration<R> {
  seen_by: 'all';
}
interface ForSome<R> extends Declaration<R> {
  seen_by: 'dashboard' | 'admins';
}

const tableBy =
  <R>(id: (record: R) => RecordId) =>
  (records: readonly R[]): RecordTable<R> =>
    RecordTable.of(records.map((record) => [id(record), record] as const));

/** @param isForMembers where members do not see all of them */
const forAll = <R>(id: (record: R) => RecordId, isForMembers: (record: R) => boolean = () => true): ForAll<R> => ({
  seen_by: 'all',
  id,
  isForMembers,
  isKnown: () => true,
  tableOf: tableBy(id),
  tableForMembers: (table) => withOnly(table, id, isForMembers),
});
/** @param isKnown where another version may have records that this one does not know */
const forSome = <R>(
  seen_by: ForSome<R>['seen_by'],
  id: (record: R) => RecordId,
  isKnown: (record: R) => boolean = () => true,
): ForSome<R> => ({
  seen_by,
  id,
  isForMembers: () => false,
  isKnown,
  tableOf: (records) => tableBy(id)(records.filter(isKnown)),
  tableForMembers: () => RecordTable.empty(),
});

/** The same table where nothing goes. */
function withOnly<R>(all: RecordTable<R>, id: (record: R) => RecordId, stays: (record: R) => boolean): RecordTable<R> {
  let table = all;
  for (const record of all.values()) if (!stays(record)) table = table.remove(id(record));
  return table;
}

const byId = ({ id }: { id: number }): number => id;

/** The id of the one configuration record. */
export const CONFIG_ID = 'config';

/**
 * Every kind of record that travels, in the order in which a snapshot lists them. What a record of a kind must look like
 * stands in `schemas/whole-board.ts`, how the server reads it in `server/live/kinds.ts`; the compiler misses either.
 * Nothing here is to load zod: the page that draws the board does without.
 */
export const KINDS = {
  claim: forAll<Claim>(byId),
  respawn: forAll<Respawn>(byId, ({ is_enabled }) => is_enabled === 1),
  category: forAll<Category>(byId),
  member_type: forAll<MemberType>(({ member_type }) => member_type),
  event: forAll<Event>(byId, ({ is_active }) => is_active === 1),
  config: forAll<Config>(() => CONFIG_ID),
  wait: forAll<Wait>(byId),
  occupancy: forAll<Occupancy>(byId),
  access_key: forSome<AccessKey>('admins', byId),
  verified_code: forSome<VerifiedCode>('admins', byId),
  activity: forSome<ActivityEntry>('dashboard', byId, ({ action }) => isActivityAction(action)),
  destination: forSome<Destination>('admins', byId),
  event_template: forSome<EventTemplate>('dashboard', byId),
};

type Kinds = typeof KINDS;
export type Kind = keyof Kinds;
export type RecordByKind = { [K in Kind]: Kinds[K] extends Declaration<infer R> ? R : never };
/** The kinds that whoever sees the board sees, and those that only admins of some role see. */
export type BoardKind = { [K in Kind]: Kinds[K] extends ForAll<RecordByKind[K]> ? K : never }[Kind];
export type AdminsKind = Exclude<Kind, BoardKind>;

/** All records of each kind: as lists, and by their ids. */
export type RecordLists = { readonly [K in Kind]: readonly RecordByKind[K][] };
export type RecordsByKind = { readonly [K in Kind]: RecordTable<RecordByKind[K]> };

/** The table once more, as what takes any kind reads it. */
const declared: {
  readonly [K in Kind]: {
    id: (record: RecordByKind[K]) => RecordId;
    isForMembers: (record: RecordByKind[K]) => boolean;
    isKnown: (record: RecordByKind[K]) => boolean;
    tableOf: (records: RecordLists[K]) => RecordsByKind[K];
    tableForMembers: (table: RecordsByKind[K]) => RecordsByKind[K];
  };
} = KINDS;

const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name);
const isOfBoard = (kind: Kind): kind is BoardKind => KINDS[kind].seen_by === 'all';
const isOfAdmins = (kind: Kind): kind is AdminsKind => !isOfBoard(kind);

/**
 * Who is told what: `members`, and visitors where the board is public; `viewers`, whose role opens the dashboard, but neither
 * keys nor secrets; `admins`, whose role runs the guild. Each sees what those before see.
 */
export const ROOMS = ['members', 'viewers', 'admins'] as const;
export type Room = (typeof ROOMS)[number];

/** What admins see: all. */
export const ADMIN_KINDS: readonly Kind[] = Object.keys(KINDS).filter(isKind);
/** What viewers see. */
export const VIEWER_KINDS: readonly Kind[] = ADMIN_KINDS.filter((kind) => KINDS[kind].seen_by !== 'admins');
/** What members see. */
export const MEMBER_KINDS: readonly BoardKind[] = ADMIN_KINDS.filter(isOfBoard);
/** What only admins see, of whichever role. */
export const ADMINS_ONLY_KINDS: readonly AdminsKind[] = ADMIN_KINDS.filter(isOfAdmins);
/** Those of them that each room sees. */
export const ADMINS_KINDS_SEEN: Readonly<Record<Room, readonly AdminsKind[]>> = {
  members: [],
  viewers: ADMINS_ONLY_KINDS.filter((kind) => KINDS[kind].seen_by !== 'admins'),
  admins: ADMINS_ONLY_KINDS,
};
/** What each room sees. */
export const KINDS_SEEN: Readonly<Record<Room, readonly Kind[]>> = { members: MEMBER_KINDS, viewers: VIEWER_KINDS, admins: ADMIN_KINDS };

/** What identifies a record among those of its kind. */
export const recordId = <K extends Kind>(kind: K, record: RecordByKind[K]): RecordId => declared[kind].id(record);

/** Whether members see a record, too. */
export const isForMembers = <K extends Kind>(kind: K, record: RecordByKind[K]): boolean => declared[kind].isForMembers(record);

/** Whether this version knows a record. */
export const isKnownRecord = <K extends Kind>(kind: K, record: RecordByKind[K]): boolean => declared[kind].isKnown(record);

/** A kind's records by their ids. */
export const tableOf = <K extends Kind>(kind: K, records: RecordLists[K]): RecordsByKind[K] => declared[kind].tableOf(records);

/** Those of them that are seen in a room. */
export function tableFor<K extends Kind>(room: Room, kind: K, table: RecordsByKind[K]): RecordsByKind[K] {
  if (room === 'members') return declared[kind].tableForMembers(table);
  return KINDS_SEEN[room].includes(kind) ? table : tableOf(kind, []);
}

type Made<T> = { -readonly [K in keyof T]?: T[K] };
function whole<T>(made: Made<T>, kinds: readonly (keyof T)[]): T {
  const isWhole = (all: typeof made): all is typeof made & T => kinds.every((kind) => kind in all);
  if (!isWhole(made)) throw new Error('a kind is missing');
  return made;
}

/** Something for each of some kinds. */
export function perKind<T extends { readonly [K in Kind]?: unknown }>(
  kinds: readonly (Kind & keyof T)[],
  make: <K extends Kind & keyof T>(kind: K) => T[K],
): T {
  const made: Made<T> = {};
  for (const kind of kinds) made[kind] = make(kind);
  return whole(made, kinds);
}

/** The same for what takes a while, one kind after another. */
export async function perKindInTurn<T extends { readonly [K in Kind]?: unknown }>(
  kinds: readonly (Kind & keyof T)[],
  make: <K extends Kind & keyof T>(kind: K) => Promise<T[K]>,
): Promise<T> {
  const made: Made<T> = {};
  for (const kind of kinds) made[kind] = await make(kind);
  return whole(made, kinds);
}
