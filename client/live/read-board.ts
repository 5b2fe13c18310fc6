import type { Snapshot } from '../../shared/live.ts';
import type { Claim, ClaimRow } from '../../shared/schemas/claim.ts';
import type { RespawnWithClaims } from '../../shared/schemas/respawn.ts';
import {
  getAccessKeys,
  getActiveEvent,
  getActivityLog,
  getAdminRespawns,
  getCategories,
  getConfig,
  getEvents,
  getMemberTypes,
  getVerifiedCodes,
} from '../api/calls.ts';
import { loading } from '../api/load-error.ts';
import { ApiError, endsSession, requestIfChanged } from '../api/request.ts';
import { applySnapshot, useBoard } from '../store/board-store.ts';
import { setServerSaveClock } from '../store/clock.ts';

/**
 * Reads the whole board over REST: the fallback while the live connection is down.
 * @param etag of the last reading; the server answers an unchanged board without touching a table
 * @returns the new etag
 * @throws LoadError; a refusal that ends the session as it is
 */
export async function readBoard(etag: string | null, asAdmin: boolean, isStopped: () => boolean): Promise<string | null> {
  const changed = await loading('respawns', requestIfChanged<RespawnWithClaims[]>('/respawns', etag));
  if (!changed) return etag;
  const [category, member_type, { server_time, start_date: _, end_date: __, ...config }, forRole] = await Promise.all([
    loading('categories', getCategories()),
    loading('memberTypes', getMemberTypes()),
    loading('config', getConfig()),
    asAdmin ? forAdmin() : forMember(),
  ]);
  // The live connection may have come back meanwhile: its board is newer.
  if (isStopped()) return etag;
  setServerSaveClock({ ...config, server_time });
  const respawn = changed.body.map(({ claims: _claims, ...record }) => record);
  const { clock, epoch } = historyOf(changed.etag);
  applySnapshot(clock, { respawn, claim: wholeClaims(changed.body), category, member_type, config: [config], ...forRole }, epoch);
  return changed.etag;
}

/** Without an active event the answer is a 404; any other failure is silent, and what was known of it stays. */
async function forMember(): Promise<Snapshot> {
  try {
    return { event: [await getActiveEvent()] };
  } catch (error) {
    if (endsSession(error)) throw error;
    if (error instanceof ApiError && error.code === 'event.noneActive') return { event: [] };
    // biome-ignore lint/suspicious/noConsole: section 8 of the specification, "logged only"
    console.warn(new Error('Failed to fetch active event', { cause: error }));
    return { event: [...useBoard.getState().byKind.event.values()] };
  }
}

async function forAdmin(): Promise<Snapshot> {
  const [event, access_key, verified_code, respawn, { logs }] = await Promise.all([
    loading('adminData', getEvents()),
    loading('accessKeys', getAccessKeys()),
    loading('verifiedCodes', getVerifiedCodes()),
    loading('adminRespawns', getAdminRespawns()),
    loading('adminData', getActivityLog({ limit: 100, page: 1 })),
  ]);
  return { event, access_key, verified_code, respawn, activity: logs };
}

/** The ETag is the epoch and the clock: W/"1f0c-17". */
function historyOf(etag: string | null): { epoch: string; clock: number } {
  const [, epoch = '', clock = '0'] = /"(.*)-(\d+)"/.exec(etag ?? '') ?? [];
  return { epoch, clock: Number(clock) };
}

/** The claims of all respawns, each whole and once: a split claim stands on two of them. */
export function wholeClaims(respawns: readonly RespawnWithClaims[]): Claim[] {
  const claims = new Map<number, Claim>();
  for (const row of respawns.flatMap((respawn) => respawn.claims)) claims.set(row.id, wholeClaim(row));
  return [...claims.values()];
}

function wholeClaim(row: ClaimRow): Claim {
  const { split_group_id: _g, split_part_number: _n, respawn_name: _r, respawn_image: _i, respawn_image_url: _u, ...rest } = row;
  const { category_id: _c, category_name: _m, ...claim } = rest;
  const [first] = claim.split_parts;
  if (!first) return claim;
  return { ...claim, respawn_id: first.respawn_id, hour_start: first.hour_start, hour_end: first.hour_start + first.duration };
}
