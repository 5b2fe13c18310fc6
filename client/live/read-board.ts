import { KINDS_SEEN, type Kind, type RecordLists, type Room } from '../../shared/kinds.ts';
import type { Snapshot } from '../../shared/live.ts';
import { omit } from '../../shared/omit.ts';
import type { Claim, ClaimRow } from '../../shared/schemas/claim.ts';
import type { ConfigAnswer } from '../../shared/schemas/config.ts';
import type { Event } from '../../shared/schemas/event.ts';
import type { Occupancy } from '../../shared/schemas/occupancy.ts';
import type { RespawnWithClaims } from '../../shared/schemas/respawn.ts';
import {
  getAccessKeys,
  getActiveEvent,
  getActivityLog,
  getAdminRespawns,
  getAdminStanding,
  getCategories,
  getDestinations,
  getEvents,
  getMemberTypes,
  getOutsideClaims,
  getOwnStanding,
  getStars,
  getTransfers,
  getVerifiedCodes,
  getWaits,
  getWholeBoard,
} from '../api/calls.ts';
import { loading } from '../api/load-error.ts';
import { ApiError, endsSession, isSignedIn, requestIfChanged } from '../api/request.ts';
import { getConfig } from '../api/session-calls.ts';
import { applyOwnRecords, applySnapshot, useBoard } from '../state/board-store.ts';
import { setServerSaveClock } from '../state/clock.ts';
import { useSession } from '../state/session-store.ts';
import { applyStars } from '../state/stars.ts';
import { applyClaimsOf } from './outside-claims.ts';

interface Reading {
  asAdmin: boolean;
  respawns: readonly RespawnWithClaims[];
  config: Promise<ConfigAnswer>;
  /** The whole board by its own call, made once however many kinds are read from it. */
  whole: () => Promise<Snapshot>;
}

type ReadKind<K extends Kind> = (from: Reading) => Promise<RecordLists[K]>;

/** The API calls of the specification. Kinds without one are read with the whole board. */
const CALLS: { readonly [K in Kind]?: ReadKind<K> } = {
  claim: async ({ respawns }) => wholeClaims(respawns),
  respawn: async ({ asAdmin, respawns }) =>
    asAdmin
      ? loading('adminRespawns', getAdminRespawns())
      : respawns.map((respawn) => omit(respawn, 'claims', 'occupied')),
  category: () => loading('categories', getCategories()),
  member_type: () => loading('memberTypes', getMemberTypes()),
  event: ({ asAdmin }) => (asAdmin ? loading('adminData', getEvents()) : theActiveEvent()),
  config: async ({ config }) => [omit(await config, 'server_time', 'start_date', 'end_date')],
  occupancy: async ({ respawns }) => wholeOccupancies(respawns),
  wait: () => loading('respawns', getWaits()),
  access_key: () => loading('accessKeys', getAccessKeys()),
  verified_code: () => loading('verifiedCodes', getVerifiedCodes()),
  activity: async () => (await loading('adminData', getActivityLog({ limit: 100, page: 1 }))).logs,
  destination: () => loading('adminData', getDestinations()),
  transfer: () => loading('adminData', getTransfers()),
  standing_claim: () => loading('adminData', getAdminStanding()),
};

async function readKind<K extends Kind>(
  kind: K,
  from: Reading,
): Promise<RecordLists[K] | undefined> {
  const call: ReadKind<K> | undefined = CALLS[kind];
  return call ? call(from) : (await from.whole())[kind];
}

/**
 * Reads the whole board over REST: the fallback while the live connection is down.
 * @param etag of the last reading; it counts the caller's own records, too, so an unchanged board takes this one call
 * @returns the new etag
 * @throws LoadError; a refusal that ends the session as it is
 */
export async function readBoard(
  etag: string | null,
  room: Room,
  isStopped: () => boolean,
): Promise<string | null> {
  const changed = await loading(
    'respawns',
    requestIfChanged<RespawnWithClaims[]>('/respawns', etag),
  );
  if (!changed) return etag;
  const own = room === 'members' && isSignedIn() ? loading('respawns', readOwn()) : null;
  const [applyLists, applyOwn] = await Promise.all([readLists(changed, room), own]);
  // If the live connection is back, its board is newer.
  if (isStopped()) return etag;
  applyLists();
  applyOwn?.();
  return changed.etag;
}

/** @returns a function that applies the lists of all kinds that the room sees */
async function readLists(
  changed: { body: RespawnWithClaims[]; etag: string | null },
  room: Room,
): Promise<() => void> {
  const config = loading('config', getConfig());
  let request: Promise<Snapshot> | null = null;
  const whole = (): Promise<Snapshot> => {
    request ??= loading('respawns', getWholeBoard()).then(({ snapshot }) => snapshot);
    return request;
  };
  const snapshot: { -readonly [K in Kind]?: RecordLists[K] } = {};
  const read = async <K extends Kind>(kind: K): Promise<void> => {
    const records = await readKind(kind, {
      asAdmin: room !== 'members',
      respawns: changed.body,
      config,
      whole,
    });
    if (records) snapshot[kind] = records;
  };
  await Promise.all(KINDS_SEEN[room].map((kind) => read(kind)));
  const settings = await config;
  return () => {
    setServerSaveClock(settings);
    const { clock, epoch } = historyOf(changed.etag);
    applySnapshot(clock, snapshot, epoch);
  };
}

/** @returns a function that applies the member's own records and stars */
async function readOwn(): Promise<() => void> {
  const key = useSession.getState().current?.accessKey;
  const ofKey =
    key === undefined ? ([null, null] as const) : ([getStars(key), getOutsideClaims(key)] as const);
  const calls = [getTransfers(), getOwnStanding(), ...ofKey] as const;
  const [transfer, standing_claim, stars, claims] = await Promise.all(calls);
  return () => {
    applyOwnRecords({ transfer, standing_claim });
    if (key !== undefined && stars) applyStars(key, stars);
    if (key !== undefined && claims) applyClaimsOf(key, claims);
  };
}

/** Without an active event the answer is a 404; any other failure is silent, and what was known of it stays. */
async function theActiveEvent(): Promise<readonly Event[]> {
  try {
    return [await getActiveEvent()];
  } catch (error) {
    if (endsSession(error)) throw error;
    if (error instanceof ApiError && error.code === 'event.noneActive') return [];
    // biome-ignore lint/suspicious/noConsole: section 8 of the specification, "logged only"
    console.warn(new Error('Failed to fetch active event', { cause: error }));
    return [...useBoard.getState().byKind.event.values()];
  }
}

/** The ETag is the epoch and the clock: W/"1f0c-17". */
function historyOf(etag: string | null): { epoch: string; clock: number } {
  const [, epoch = '', clock = '0'] = /"(.*)-(\d+)"/.exec(etag ?? '') ?? [];
  return { epoch, clock: Number(clock) };
}

/** The claims of all respawns, without duplicates: a split claim is on two. */
function wholeClaims(respawns: readonly RespawnWithClaims[]): Claim[] {
  const claims = new Map<number, Claim>();
  for (const row of respawns.flatMap((respawn) => respawn.claims))
    claims.set(row.id, wholeClaim(row));
  return [...claims.values()];
}

function wholeClaim(row: ClaimRow): Claim {
  const ofRow = ['split_group_id', 'split_part_number'] as const;
  const ofSpot = ['respawn_name', 'respawn_image', 'respawn_image_url'] as const;
  const ofCategory = ['category_id', 'category_name', 'split_claims'] as const;
  const claim = omit(row, ...ofRow, ...ofSpot, ...ofCategory);
  const [first] = claim.split_parts;
  if (!first) return claim;
  return {
    ...claim,
    respawn_id: first.respawn_id,
    hour_start: first.hour_start,
    hour_end: first.hour_start + first.duration,
  };
}

function wholeOccupancies(respawns: readonly RespawnWithClaims[]): Occupancy[] {
  const whole = new Map<number, Occupancy>();
  for (const { id: respawn_id, occupied = [] } of respawns) {
    for (const { hour_start, hour_end, ...of } of occupied) {
      const before = whole.get(of.id)?.parts ?? [];
      whole.set(of.id, { ...of, parts: [...before, { respawn_id, hour_start, hour_end }] });
    }
  }
  return [...whole.values()];
}
