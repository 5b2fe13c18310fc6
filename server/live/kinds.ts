import { type Kind, type RecordByKind, type RecordLists, recordId } from '../../shared/kinds.ts';
import type { RecordId } from '../../shared/record-table.ts';
import { MAX_LIST } from '../../shared/schemas/fields.ts';
import { latestActivity } from '../activity/log.ts';
import { allOccupancies, boardScope, readGuildNow } from '../board/claims/board-view.ts';
import { loadClaimsInTurns } from '../board/claims/claim-records.ts';
import type { ServerSaveSettings } from '../board/config/clock.ts';
import { allEventTemplates } from '../board/event-copy/templates.ts';
import { allCategories } from '../board/records/categories.ts';
import { readConfig } from '../board/records/config.ts';
import { activeEvent, allEvents } from '../board/records/events.ts';
import { allMemberTypes } from '../board/records/member-types.ts';
import { findRespawns } from '../board/records/respawns.ts';
import { openWaits } from '../board/waitlist/queries.ts';
import type { Tx } from '../db/open.ts';
import type { Env } from '../env.ts';
import { allAccessKeys, verifiedCodes } from '../members/records.ts';
import { listChannels } from '../notifications/channels/channel.ts';
import { KeptList, type ListView } from './kept-list.ts';
import { ACTIVITY_KEPT, byName, byText, type Listing, newestFirst } from './listing.ts';
import type { Role } from './role.ts';

/** What a kind's records are read from, and for whom. */
interface ReadingKind {
  settings: ServerSaveSettings & { env: Env };
  /** Sees one state from the first kind to the last. */
  tx: Tx;
  role: Role;
}

/** How a snapshot reads the records of a kind, and how a board in memory keeps them in the very same order. */
interface Kept<R> {
  read: (from: ReadingKind) => Promise<readonly R[]>;
  keep: (records: readonly R[]) => KeptList<R>;
}

type KeptAs<R> = Pick<Kept<R>, 'read'> & Pick<Listing<R>, 'order'> & Partial<Listing<R>>;

const kept = <K extends Kind>(kind: K, { read, order, most = Number.POSITIVE_INFINITY, isLog = false }: KeptAs<RecordByKind[K]>) => ({
  read,
  keep: (records: readonly RecordByKind[K][]) => new KeptList({ id: (record) => recordId(kind, record), order, most, isLog }, records),
});

export const KEPT: { readonly [K in Kind]: Kept<RecordByKind[K]> } = {
  claim: kept('claim', {
    read: async ({ settings, tx }) => loadClaimsInTurns(tx, await boardScope(settings, tx)),
    order: (one, other) => one.id - other.id,
  }),
  respawn: kept('respawn', {
    read: ({ tx, role }) => findRespawns(tx, role === 'members' ? { enabled: true } : {}),
    order: (one, other) => byName(one.name, other.name) || one.id - other.id,
  }),
  category: kept('category', {
    read: ({ tx }) => allCategories(tx),
    order: (one, other) => byName(one.name, other.name) || one.id - other.id,
  }),
  member_type: kept('member_type', {
    read: ({ tx }) => allMemberTypes(tx),
    order: (one, other) => other.is_system - one.is_system || byName(one.member_type, other.member_type),
  }),
  event: kept('event', {
    read: async ({ tx, role }) => (role === 'members' ? [await activeEvent(tx)].filter((event) => event !== null) : allEvents(tx)),
    order: (one, other) => byText(other.start_time, one.start_time) || newestFirst(one, other),
    most: MAX_LIST,
  }),
  config: kept('config', { read: async ({ settings, tx }) => [await readConfig(settings, tx)], order: () => 0 }),
  occupancy: kept('occupancy', {
    read: async ({ settings, tx }) => allOccupancies(tx, await readGuildNow(settings, tx)),
    order: (one, other) => one.id - other.id,
  }),
  wait: kept('wait', { read: ({ tx }) => openWaits(tx), order: (one, other) => one.id - other.id }),
  access_key: kept('access_key', { read: ({ tx }) => allAccessKeys(tx), order: newestFirst, most: MAX_LIST }),
  verified_code: kept('verified_code', { read: ({ tx }) => verifiedCodes(tx, { of: 'start' }), order: newestFirst, most: MAX_LIST }),
  activity: kept('activity', {
    read: ({ tx }) => latestActivity(tx, ACTIVITY_KEPT),
    order: newestFirst,
    most: ACTIVITY_KEPT,
    isLog: true,
  }),
  destination: kept('destination', { read: ({ tx }) => listChannels(tx), order: (one, other) => one.id - other.id }),
  event_template: kept('event_template', { read: ({ tx }) => allEventTemplates(tx), order: (one, other) => one.id - other.id }),
};

/** A list of each kind that follows what changes. */
export type KeptLists = {
  readonly [K in Kind]: {
    put: (record: RecordByKind[K]) => boolean;
    remove: (id: RecordId) => boolean;
    view: () => ListViews[K];
  };
};
export type ListViews = { readonly [K in Kind]: Omit<ListView<RecordByKind[K]>, 'records'> & { records: RecordLists[K] } };

/** The table once more, as what takes any kind reads it. */
const table: {
  readonly [K in Kind]: {
    read: (from: ReadingKind) => Promise<RecordLists[K]>;
    keep: (records: RecordLists[K]) => KeptLists[K];
  };
} = KEPT;

export const readKind = <K extends Kind>(kind: K, from: ReadingKind): Promise<RecordLists[K]> => table[kind].read(from);
export const keptList = <K extends Kind>(kind: K, records: RecordLists[K]): KeptLists[K] => table[kind].keep(records);
