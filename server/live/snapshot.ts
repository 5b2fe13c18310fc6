import type { Snapshot } from '../../shared/live.ts';
import type { Claim } from '../../shared/schemas/claim.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import { allAccessKeys } from '../access-keys/queries.ts';
import { latestActivity } from '../activity/queries.ts';
import { allCategories } from '../categories/queries.ts';
import { verifiedCodes } from '../characters/queries.ts';
import { boardScope, loadClaims } from '../claims/queries.ts';
import { readConfig } from '../config/queries.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/open.ts';
import { activeEvent, allEvents } from '../events/queries.ts';
import type { Caller } from '../http/credentials.ts';
import { allMemberTypes } from '../member-types/queries.ts';
import { findRespawns } from '../respawns/queries.ts';

export type Role = 'members' | 'admins';
export const roleOf = (caller: Caller): Role => (caller.role === 'admin' ? 'admins' : 'members');

export interface TakenSnapshot {
  clock: number;
  /** The history that the clock counts. */
  epoch: string;
  snapshot: Snapshot & { claim: Claim[]; respawn: Respawn[] };
}

/** Activity entries that an admin starts with; older ones are read page by page. */
const ACTIVITY_KEPT = 100;

const taken = new WeakMap<Context, Map<Role, Promise<TakenSnapshot>>>();

/**
 * All that members, or admins, see, and the clock it was taken at. A guild that connects all at once shares one:
 * it is taken again only after the clock has moved.
 */
export async function takeSnapshot(ctx: Context, role: Role): Promise<TakenSnapshot> {
  const byRole = taken.get(ctx) ?? new Map<Role, Promise<TakenSnapshot>>();
  taken.set(ctx, byRole);
  const reading = byRole.get(role);
  const kept = await reading?.catch(() => null);
  if (kept && kept.epoch === ctx.bus.epoch && kept.clock >= ctx.bus.clock()) return kept;
  // Everyone who waited for a reading that the clock has overtaken shares the next one, too.
  const next = byRole.get(role);
  if (next && next !== reading) return next;
  const fresh = read(ctx, role);
  byRole.set(role, fresh);
  return fresh;
}

function read(ctx: Context, role: Role): Promise<TakenSnapshot> {
  // Before anything is read: rows of the history before must not pass for the next one's.
  const { epoch } = ctx.bus;
  const begin = ctx.db.transaction();
  // SQLite's one connection sees one state anyway; PostgreSQL has to be told, or the clock and the rows may differ.
  return (ctx.dialect === 'postgres' ? begin.setIsolationLevel('repeatable read') : begin).execute(async (tx) => {
    const { value: clock } = await tx.selectFrom('clock').select('value').executeTakeFirstOrThrow();
    const forAll = {
      claim: await loadClaims(tx, await boardScope(ctx, tx)),
      category: await allCategories(tx),
      member_type: await allMemberTypes(tx),
      config: [await readConfig(ctx, tx)],
    };
    const forRole = role === 'admins' ? await forAdmins(tx) : await forMembers(tx);
    return { clock, epoch, snapshot: { ...forAll, ...forRole } };
  });
}

async function forMembers(tx: Tx) {
  const event = await activeEvent(tx);
  return { respawn: await findRespawns(tx, { enabled: true }), event: event ? [event] : [] };
}

async function forAdmins(tx: Tx) {
  return {
    respawn: await findRespawns(tx),
    event: await allEvents(tx),
    access_key: await allAccessKeys(tx),
    verified_code: await verifiedCodes(tx, { of: 'start' }),
    activity: await latestActivity(tx, ACTIVITY_KEPT),
  };
}
