import { isActivityAction } from './activity-actions.ts';
import { type RecordId, RecordTable } from './record-table.ts';
import { type AdminRole, may } from './rules/roles.ts';
import type { AccessKey } from './schemas/access-key.ts';
import type { ActivityEntry } from './schemas/activity.ts';
import type { Category } from './schemas/category.ts';
import type { VerifiedCode } from './schemas/character.ts';
import type { Claim, OwnClaim } from './schemas/claim.ts';
import type { Config } from './schemas/config.ts';
import type { Destination } from './schemas/destination.ts';
import type { Event } from './schemas/event.ts';
import type { MemberType } from './schemas/member-type.ts';
import type { MissedClaim } from './schemas/missed-claim.ts';
import type { Occupancy } from './schemas/occupancy.ts';
import type { Respawn } from './schemas/respawn.ts';
import type { StandingClaim } from './schemas/standing-claim.ts';
import type { CharacterStars } from './schemas/star.ts';
import type { Transfer } from './schemas/transfer.ts';
import type { Wait } from './schemas/wait.ts';

/** Everyone who sees the board; admins of every role; or only admins who may manage the guild. */
type Audience = 'all' | 'dashboard' | 'admins';

interface Declaration<R, A extends Audience = Audience> {
  audience: A;
  id: (record: R) => RecordId;
  /** Which records of a kind for all members see; admins see every record. */
  isForMembers: (record: R) => boolean;
  /** False for a record that only another version of the program understands; the client skips it. */
  isKnown: (record: R) => boolean;
  /** The known records by id. */
  tableOf: (records: readonly R[]) => RecordTable<R>;
  /** The records of a table that members see; the same table if they see all of it. */
  tableForMembers: (table: RecordTable<R>) => RecordTable<R>;
}

function declare<R, A extends Audience>(
  audience: A,
  id: (record: R) => RecordId,
  {
    isForMembers = () => audience === 'all',
    isKnown = () => true,
  }: Partial<Pick<Declaration<R>, 'isForMembers' | 'isKnown'>> = {},
): Declaration<R, A> {
  return {
    audience,
    id,
    isForMembers,
    isKnown,
    tableOf: (records) =>
      RecordTable.of(records.filter(isKnown).map((record) => [id(record), record] as const)),
    tableForMembers: (table) => {
      if (audience !== 'all') return RecordTable.empty();
      let rest = table;
      for (const record of table.values())
        if (!isForMembers(record)) rest = rest.remove(id(record));
      return rest;
    },
  };
}

const forAll = <R>(
  id: (record: R) => RecordId,
  isForMembers?: (record: R) => boolean,
): Declaration<R, 'all'> => declare('all', id, isForMembers ? { isForMembers } : {});
const forDashboard = <R>(
  id: (record: R) => RecordId,
  isKnown?: (record: R) => boolean,
): Declaration<R, 'dashboard'> => declare('dashboard', id, isKnown ? { isKnown } : {});
const forAdmins = <R>(id: (record: R) => RecordId): Declaration<R, 'admins'> =>
  declare('admins', id);

const byId = ({ id }: { id: number }): number => id;

/** The id of the only configuration record. */
export const CONFIG_ID = 'config';

/**
 * Every kind of record that the live protocol carries, in the order of a snapshot. `server/features.ts` says how the server
 * reads each one. Import only types from the schemas here: the board's first load must not include zod.
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
  transfer: forDashboard<Transfer>(byId),
  access_key: forAdmins<AccessKey>(byId),
  verified_code: forAdmins<VerifiedCode>(byId),
  activity: forDashboard<ActivityEntry>(byId, ({ action }) => isActivityAction(action)),
  destination: forAdmins<Destination>(byId),
  standing_claim: forDashboard<StandingClaim>(byId),
};

/** Kinds of which members are sent their own records, outside the change sets. Admins see every record in the change sets. */
export const OWN_KINDS = [
  'standing_claim',
  'transfer',
] as const satisfies readonly (keyof typeof KINDS)[];
export type OwnKind = (typeof OWN_KINDS)[number];
export type OwnRecords = Pick<RecordLists, OwnKind>;
/** Everything that members are sent of their own. */
export interface OwnData extends OwnRecords {
  readonly stars: CharacterStars;
  /** Their claims from today on that the board does not list. */
  readonly claims: readonly OwnClaim[];
  /** Their no-shows that count, while the guild counts them (R9.29). */
  readonly missed: readonly MissedClaim[];
}

type Kinds = typeof KINDS;
export type Kind = keyof Kinds;
export type RecordByKind = { [K in Kind]: Kinds[K] extends Declaration<infer R> ? R : never };
/** The kinds that a member's snapshot contains. */
type BoardKind = { [K in Kind]: Kinds[K]['audience'] extends 'all' ? K : never }[Kind];

export type RecordLists = { readonly [K in Kind]: readonly RecordByKind[K][] };
export type RecordsByKind = { readonly [K in Kind]: RecordTable<RecordByKind[K]> };
/** The records of a snapshot: the board's kinds always, the others if the caller may see them. */
export type BoardLists = Pick<RecordLists, BoardKind> & Partial<RecordLists>;

/** The same table, typed for access by a generic kind. */
const declarations: {
  readonly [K in Kind]: Pick<Declaration<RecordByKind[K]>, 'id' | 'isForMembers' | 'isKnown'> & {
    tableOf: (records: RecordLists[K]) => RecordsByKind[K];
    tableForMembers: (table: RecordsByKind[K]) => RecordsByKind[K];
  };
} = KINDS;

/**
 * Which change sets a connection receives: `members` (and visitors of a public board), `viewers` (admins who see the dashboard but no
 * keys or secrets) or `admins` (those who may manage the guild). Each room sees everything that the one before sees.
 */
export const ROOMS = ['members', 'viewers', 'admins'] as const;
export type Room = (typeof ROOMS)[number];

/** The live room of a caller, which decides what they see of the board. @param role an admin's; null: no admin */
export function liveRoomOf(role: AdminRole | null): Room {
  if (role === null) return 'members';
  return may(role, 'guild') ? 'admins' : 'viewers';
}

const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name);
export const isBoardKind = (kind: Kind): kind is BoardKind => KINDS[kind].audience === 'all';

export const ALL_KINDS: readonly Kind[] = Object.keys(KINDS).filter(isKind);
export const KINDS_SEEN: Readonly<Record<Room, readonly Kind[]>> = {
  members: ALL_KINDS.filter(isBoardKind),
  viewers: ALL_KINDS.filter((kind) => KINDS[kind].audience !== 'admins'),
  admins: ALL_KINDS,
};

export const recordId = <K extends Kind>(kind: K, record: RecordByKind[K]): RecordId =>
  declarations[kind].id(record);
export const isForMembers = <K extends Kind>(kind: K, record: RecordByKind[K]): boolean =>
  declarations[kind].isForMembers(record);
export const isKnownRecord = <K extends Kind>(kind: K, record: RecordByKind[K]): boolean =>
  declarations[kind].isKnown(record);

export const tableOf = <K extends Kind>(kind: K, records: RecordLists[K]): RecordsByKind[K] =>
  declarations[kind].tableOf(records);

/** The records of a table that another room sees. */
export function tableFor<K extends Kind>(
  room: Room,
  kind: K,
  table: RecordsByKind[K],
): RecordsByKind[K] {
  if (room === 'members') return declarations[kind].tableForMembers(table);
  return KINDS_SEEN[room].includes(kind) ? table : tableOf(kind, []);
}

/** One value for every kind. */
export function perKind<T extends { readonly [K in Kind]: unknown }>(
  make: <K extends Kind>(kind: K) => T[K],
): T {
  const made: { -readonly [K in Kind]?: T[K] } = {};
  for (const kind of ALL_KINDS) made[kind] = make(kind);
  const isComplete = (all: typeof made): all is typeof made & T =>
    ALL_KINDS.every((kind) => kind in all);
  if (!isComplete(made)) throw new Error('a kind is missing');
  return made;
}
