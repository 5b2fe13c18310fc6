import { omit } from '../../../shared/omit.ts';
import type { StandingEndReason } from '../../../shared/schemas/standing-claim.ts';
import { type Actor, type KeptUndo, logActivities } from '../../auth/activity-log.ts';
import { serverSaveNow } from '../../db/clock/server-save-clock.ts';
import { type Db, inBatches, type Reading, type Tx, writeInBatches } from '../../db/database.ts';
import { type ChangeRecorder, MANY_CHANGES, type Unit } from '../../db/unit-of-work.ts';
import { daysBefore, deleteOld, deleteOldRecords } from '../../jobs/job-kind.ts';
import { changedSpots } from '../changed-spots.ts';
import { findRespawnLabels } from '../records/respawns.ts';
import { moveNextDates, showStandingClaims } from './occurrences.ts';
import { type StoredStanding, weekdaysOf } from './records.ts';

/** Ended standing claims are kept so long: until then the undo of a deletion resumes them. */
const ENDED_KEPT_DAYS = 30;

/** The details of standing claims for their entries in the activity log. */
async function describeStandingClaims(
  { tx, changes }: Unit,
  standingClaims: readonly StoredStanding[],
) {
  const spots = await findRespawnLabels(
    tx,
    standingClaims.map(({ respawn_id }) => respawn_id),
  );
  const changed = changes.collect(changedSpots);
  return standingClaims.map((standing) => {
    const { character_name, member_type, respawn_id, hour_start, hour_end } = standing;
    const respawn_name =
      spots.get(respawn_id)?.name ?? changed.get(respawn_id) ?? standing.respawn_name ?? '';
    return {
      standing_id: standing.id,
      character_name,
      member_type,
      weekdays: weekdaysOf(standing),
      places: [{ respawn_id, respawn_name, hour_start, hour_end }],
    };
  });
}

/** The same of one standing claim. */
export async function describeStanding(unit: Unit, standing: StoredStanding) {
  const [described] = await describeStandingClaims(unit, [standing]);
  if (!described) throw new Error('a standing claim is described');
  return described;
}

interface Ended {
  standingClaims: readonly StoredStanding[];
  reason: StandingEndReason;
  /** By default the server. */
  actor?: Actor;
  released_claims?: number;
  /** Of the one standing claim that an admin ended. */
  undo?: KeptUndo | null;
}

/** Their claims stay. The rows are kept, so that an undo resumes them. */
export async function endStandingClaims(
  unit: Unit,
  { standingClaims, reason, actor = { role: 'server' }, released_claims = 0, undo = null }: Ended,
): Promise<void> {
  if (standingClaims.length === 0) return;
  const { ctx, tx, changes } = unit;
  const described = await describeStandingClaims(unit, standingClaims);
  const ended = { ended_at: ctx.now().toISOString(), end_reason: reason };
  const byName = Map.groupBy(described, ({ places: [place] }) => place?.respawn_name ?? '');
  for (const [respawn_name, some] of byName)
    await writeInBatches(some, (few) =>
      tx
        .updateTable('standing_claims')
        .set({ ...ended, respawn_name })
        .where(
          'id',
          'in',
          few.map(({ standing_id }) => standing_id),
        )
        .execute(),
    );
  hideStandingClaims(changes, standingClaims);
  await logActivities(unit, actor, {
    action: 'standing_ended',
    entries: described.map((details) => ({
      details: { ...details, reason, released_claims },
      undo,
    })),
  });
}

/** Their owners are sent those that ended without them. */
function hideStandingClaims(
  changes: ChangeRecorder,
  standingClaims: readonly Pick<StoredStanding, 'id' | 'character_key'>[],
): void {
  if (standingClaims.length > MANY_CHANGES) changes.reset();
  else
    for (const { id, character_key } of standingClaims)
      changes.removeOwned('standing_claim', id, [character_key]);
}

/** Resumes standing claims after an undo of what ended them; the caller has their due claims made. */
export async function resumeStandingClaims(
  unit: Unit,
  standingClaims: readonly StoredStanding[],
): Promise<StoredStanding[]> {
  if (standingClaims.length === 0) return [];
  const on = { ended_at: null, end_reason: null, respawn_name: null };
  const ids = standingClaims.map(({ id }) => id);
  await writeInBatches(ids, (some) =>
    unit.tx.updateTable('standing_claims').set(on).where('id', 'in', some).execute(),
  );
  const resumed = await moveNextDates(
    unit,
    standingClaims.map((standing) => ({ ...standing, ...on })),
  );
  await showStandingClaims(unit, resumed);
  const described = await describeStandingClaims(unit, resumed);
  await logActivities(
    unit,
    { role: 'server' },
    { action: 'standing_resumed', entries: described.map((details) => ({ details })) },
  );
  return resumed;
}

/** The standing claim's claims that have not begun and still are its character's, whether or not the board shows them. */
export async function claimsToRelease(
  ctx: Reading,
  tx: Tx,
  { id, character_key }: StoredStanding,
): Promise<number[]> {
  const { date: today, hour } = serverSaveNow(ctx);
  const claims = await tx
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .select(({ fn }) => ['claims.id', 'date', fn.min<number>('hour_start').as('hour_start')])
    .where('standing_id', '=', id)
    .where('character_key', '=', character_key)
    .where('date', '>=', today)
    .groupBy(['claims.id', 'date'])
    .orderBy('claims.id')
    .execute();
  return claims
    .filter(({ date, hour_start }) => date !== today || hour_start > hour)
    .map((claim) => claim.id);
}

/** Ends the standing claims of banned characters, even those that ended for another reason: the undo of that must not resume them. */
export async function endStandingOfBanned(
  unit: Unit,
  character_keys: Iterable<string>,
): Promise<void> {
  for (const some of inBatches(character_keys)) {
    const standingClaims = await unit.tx
      .selectFrom('standing_claims')
      .selectAll()
      .where('character_key', 'in', some)
      .where(({ or, eb }) =>
        or([eb('end_reason', 'is', null), eb('end_reason', 'not in', ['ended', 'banned'])]),
      )
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('bans')
            .select('bans.character_key')
            .whereRef('bans.character_key', '=', 'standing_claims.character_key'),
        ),
      )
      .orderBy('id')
      .execute();
    await endStandingClaims(unit, { standingClaims, reason: 'banned' });
  }
}

/** The standing claims that undone bans had ended. @param returned characters, and when their bans had been made */
export async function standingEndedByBans(
  tx: Tx,
  returned: ReadonlyMap<string, string | null>,
): Promise<StoredStanding[]> {
  const found: StoredStanding[] = [];
  for (const [character_key, banned_at] of returned) {
    if (banned_at === null) continue;
    const theirs = tx
      .selectFrom('standing_claims')
      .selectAll()
      .where('character_key', '=', character_key);
    found.push(
      ...(await theirs
        .where('end_reason', '=', 'banned')
        .where('ended_at', '>=', banned_at)
        .orderBy('id')
        .execute()),
    );
  }
  return found;
}

/** Current standing claims whose key or spot is gone, and those that ended for that although both are there again. */
export async function standingOutOfStep(
  tx: Tx,
): Promise<Record<'withoutKey' | 'withoutSpot' | 'restored', StoredStanding[]>> {
  const rows = await tx
    .selectFrom('standing_claims')
    .leftJoin('respawns', 'respawns.id', 'standing_claims.respawn_id')
    .leftJoin('access_keys', 'access_keys.id', 'standing_claims.access_key_id')
    .selectAll('standing_claims')
    .select(['respawns.id as spot', 'access_keys.id as key'])
    .where(({ or, and, not, eb }) => {
      const isGone = or([
        eb('respawns.id', 'is', null),
        and([eb('access_key_id', 'is not', null), eb('access_keys.id', 'is', null)]),
      ]);
      return or([
        and([eb('end_reason', 'is', null), isGone]),
        and([eb('end_reason', 'in', ['key', 'spot']), not(isGone)]),
      ]);
    })
    .orderBy('standing_claims.id')
    .execute();
  const {
    withoutKey = [],
    withoutSpot = [],
    restored = [],
  } = Object.groupBy(rows, ({ end_reason, access_key_id, key }) => {
    if (end_reason !== null) return 'restored';
    return access_key_id !== null && key === null ? 'withoutKey' : 'withoutSpot';
  });
  const stored = (some: typeof rows): StoredStanding[] =>
    some.map((row) => omit(row, 'spot', 'key'));
  return {
    withoutKey: stored(withoutKey),
    withoutSpot: stored(withoutSpot),
    restored: stored(restored),
  };
}

/** Standing claims whose last date has passed, and those that a wrong clock ended. */
export async function standingByLastDate(
  db: Db | Tx,
  today: string,
): Promise<{ over: StoredStanding[]; early: StoredStanding[] }> {
  const all = db.selectFrom('standing_claims').selectAll().orderBy('id');
  return {
    over: await all.where('ended_at', 'is', null).where('until_date', '<', today).execute(),
    early: await all.where('end_reason', '=', 'over').where('until_date', '>=', today).execute(),
  };
}

/** Deletes standing claims that ended long ago. */
export const forgetStandingClaims = deleteOldRecords<Pick<StoredStanding, 'id' | 'character_key'>>({
  kind: 'standing.forget',
  old: (db, now, most) =>
    db
      .selectFrom('standing_claims')
      .select(['id', 'character_key'])
      .where('ended_at', '<', daysBefore(now, ENDED_KEPT_DAYS))
      .orderBy('ended_at')
      .limit(most)
      .execute(),
  remove: async ({ tx, changes }, old) => {
    const ids = old.map(({ id }) => id);
    await tx.deleteFrom('standing_claims').where('id', 'in', ids).execute();
    hideStandingClaims(changes, old);
  },
});

/** Deletes the outcomes of long past dates: no standing claim makes them again. */
export const forgetOutcomes = deleteOld({
  kind: 'standing.forget-outcomes',
  table: 'standing_occurrences',
  column: 'date',
  key: 'date',
  kept_days: 367,
});
