import { sql } from 'kysely';
import { DomainError } from '../../../shared/errors.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { assertTimeToConfirm, type ConfirmTime, confirmTime, isNoShow } from '../../../shared/rules/confirm.ts';
import type { Claim, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { Principal } from '../../auth/callers.ts';
import { actorOf } from '../../auth/who-asks.ts';
import { breathe, inBatches } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Db, Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import type { Env } from '../../env.ts';
import { type DeadlineSource, deadlineChanges } from '../../jobs/deadlines.ts';
import type { Writing } from '../../jobs/writing.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { type Ended, endedNow } from '../claim-history/record-endings.ts';
import { serverSaveClock } from '../config/clock.ts';
import { type GuildNow, readGuildNow, showClaims } from './board-view.ts';
import { tellPartMissed } from './claim-events.ts';
import { claimRows, type DatedClaim, loadDatedClaims } from './claim-records.ts';
import { recordClaims } from './claims-changed.ts';
import { deleteClaimsIn } from './delete.ts';
import { giveUp, namedPart, ownClaim } from './release.ts';
import { countAsConfirmed } from './store-claims.ts';

/**
 * Says that the holder of a claim, or of a part of a split one, is there (R9.24, R9.25).
 * @param part_number of a split claim
 * @returns the claim's rows as they are now
 * @throws DomainError confirm.*, claim.notFound, split.whichPart, split.partGone
 */
export function confirmClaim(ctx: Writing, by: Principal, id: number, part_number: number | null): Promise<ClaimRow[]> {
  return write(ctx, async (tx, changes) => {
    const actor = await actorOf(tx, by);
    const guild = await readGuildNow(ctx, tx);
    const found = await claimOr(tx, id, () => ownClaim(tx, actor, id, 'confirm.otherCharacter'));
    const { claim } = found;
    if (!guild.confirm_enabled) throw new DomainError('confirm.disabled');
    const part = namedPart(claim, part_number);
    const number = part.split_part_number ?? 1;
    if (claim.date === null || !claim.to_confirm.some((each) => each === number)) throw new DomainError('confirm.notNeeded');
    const { hour_start } = part;
    assertTimeToConfirm(confirmTime({ date: claim.date, hour_start }, guild.grace_minutes, serverSaveClock(ctx)), ctx.now());
    await countAsConfirmed(tx, id, number);
    const after: Claim = { ...claim, to_confirm: claim.to_confirm.filter((each) => each !== number) };
    showClaims(changes, [{ ...found, claim: after }], guild);
    const rows = await claimRows(tx, [after]);
    const confirmed = rows.filter(({ split_part_number }) => split_part_number === part.split_part_number);
    await recordClaims(ctx, tx, changes, actor, 'claim_confirmed', [after], confirmed, (details) => ({ details }));
    return rows;
  });
}

/** One that has gone as a no-show is no stranger to whoever comes too late. */
async function claimOr(tx: Tx, id: number, find: () => Promise<DatedClaim>): Promise<DatedClaim> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'claim.notFound') throw error;
    const missed = tx.selectFrom('claim_endings').select('id').where('claim_id', '=', id).where('reason', '=', 'no_show');
    throw (await missed.limit(1).executeTakeFirst()) ? new DomainError('confirm.over') : error;
  }
}

/** Parts that have yet to be confirmed; those that begin first first, and always in one order, as they are read page by page. */
export const unconfirmed = (db: Db | Tx) =>
  db
    .selectFrom('claim_parts')
    .select(['claim_id', 'part_number', 'last_date as date', 'hour_start'])
    .where((where) => where('to_confirm', '=', where.lit(1)))
    // Says nothing but that the index is searched, and not gone through.
    .where('last_date', '>=', sql.lit(''))
    .orderBy('last_date')
    .orderBy('hour_start')
    .orderBy('claim_id')
    .orderBy('part_number');

/** Parts that a statement lets be. */
const PARTS_AT_ONCE = 1_000;

/**
 * The guild confirms otherwise from now on: what is due is due at another time. Switched off, nothing that stands is to be
 * confirmed any more, nor judged when it is switched on again (R9.24).
 */
export async function changeConfirming(
  tx: Tx,
  changes: ChangeRecorder,
  { confirm_enabled }: Pick<GuildNow, 'confirm_enabled'>,
): Promise<void> {
  changes.collect(deadlineChanges).moved = true;
  if (confirm_enabled) return;
  for (;;) {
    const ids = (await unconfirmed(tx).limit(PARTS_AT_ONCE).execute()).map(({ claim_id }) => claim_id);
    if (ids.length === 0) return;
    await tx.updateTable('claim_parts').set({ to_confirm: 0 }).where('claim_id', 'in', ids).execute();
    changes.reset();
    await breathe();
  }
}

/** Claims that are looked at in a turn of the event loop. */
const CLAIMS_A_TURN = 250;

type Ctx = Pick<Writing, 'env' | 'now'>;
type Clock = Pick<Env, 'SS_TIME_ZONE' | 'SS_HOUR'>;

/**
 * R9.26: deletes claims that were not confirmed in time, those that began first first. If no server was up during all of the
 * confirmation window, or the clock jumped meanwhile, the claim counts as confirmed.
 */
export const noShowsDue = (env: Clock): DeadlineSource => ({
  name: 'no-shows',
  earliest: async (db) => {
    const first = await unconfirmed(db).limit(1).executeTakeFirst();
    if (!first) return null;
    return confirmTime(first, await graceMinutes(db), serverSaveClock({ env })).closes_at.toISOString();
  },
  expire: async (ctx, tx, changes, until) => {
    const uptime = await ctx.heartbeats.uptime(tx);
    const missed = await missedBy(tx, env, new Date(until));
    await endNoShows(
      ctx,
      tx,
      changes,
      missed.filter(({ opens_at, closes_at }) => uptime.wasUpDuring(opens_at, closes_at)),
    );
    await excuse(
      ctx,
      tx,
      changes,
      missed.filter(({ opens_at, closes_at }) => !uptime.wasUpDuring(opens_at, closes_at)),
    );
  },
});

const graceMinutes = async (db: Db | Tx): Promise<number> =>
  (await db.selectFrom('config').select('grace_minutes').executeTakeFirstOrThrow()).grace_minutes;

type Missed = { claim_id: number; part_number: number } & ConfirmTime;

/** They stand in the order in which they are due, and are read until one is not. */
async function missedBy(tx: Tx, env: Clock, until: Date): Promise<Missed[]> {
  const [grace, clock, missed] = [await graceMinutes(tx), serverSaveClock({ env }), [] as Missed[]];
  for (let offset = 0; ; offset += CLAIMS_A_TURN) {
    const some = await unconfirmed(tx).limit(CLAIMS_A_TURN).offset(offset).execute();
    const due = some.map((part) => ({ ...part, ...confirmTime(part, grace, clock) })).filter((part) => isNoShow(part, until));
    missed.push(...due);
    if (due.length < CLAIMS_A_TURN) return missed;
    await breathe();
  }
}

/** Nobody could confirm them. */
async function excuse(ctx: Ctx, tx: Tx, changes: ChangeRecorder, missed: readonly Missed[]): Promise<void> {
  if (missed.length === 0) return;
  for (const { claim_id, part_number } of missed) await countAsConfirmed(tx, claim_id, part_number);
  const ids = [...new Set(missed.map(({ claim_id }) => claim_id))];
  if (ids.length > MANY_CHANGES) return changes.reset();
  const guild = await readGuildNow(ctx, tx);
  showClaims(changes, await loadDatedClaims(tx, { of: 'ids', ids }), guild);
}

async function endNoShows(ctx: Ctx, tx: Tx, changes: ChangeRecorder, missed: readonly Missed[]): Promise<void> {
  if (missed.length === 0) return;
  const ended = endedNow(ctx, 'no_show', { role: 'server' });
  const partsOf = Map.groupBy(missed, ({ claim_id }) => claim_id);
  const wholes: number[] = [];
  for (const some of inBatches(partsOf.keys(), CLAIMS_A_TURN)) {
    for (const dated of await loadDatedClaims(tx, { of: 'ids', ids: some })) {
      const numbers = new Set(partsOf.get(dated.claim.id)?.map(({ part_number }) => part_number));
      if (claimOnRespawns(dated.claim).length === numbers.size) wholes.push(dated.claim.id);
      else await losePart(ctx, tx, changes, dated, numbers, ended);
    }
    await breathe();
  }
  if (wholes.length === 0) return;
  const { few } = await deleteClaimsIn(ctx, tx, changes, { of: 'ids', ids: wholes }, { keep: false, ended });
  const rows = await claimRows(tx, few);
  await recordClaims(ctx, tx, changes, { role: 'server' }, 'claim_no_show', few, rows, (details) => ({ details }));
}

/** One part of a split claim; the other one stands. */
async function losePart(
  ctx: Ctx,
  tx: Tx,
  changes: ChangeRecorder,
  dated: DatedClaim,
  numbers: ReadonlySet<number>,
  ended: Ended,
): Promise<void> {
  const part = claimOnRespawns(dated.claim).find(({ split_part_number }) => numbers.has(split_part_number ?? 1));
  if (!part) return;
  const { hour_start, hour_end } = part;
  const lost = (await claimRows(tx, [dated.claim])).filter(({ split_part_number }) => split_part_number === part.split_part_number);
  await tellPartMissed(tx, changes, dated.claim, part.split_part_number ?? 1);
  const others = await giveUp(ctx, tx, changes, dated, { part, gone: { hour_start, hour_end }, stays: null }, ended);
  const guild = await readGuildNow(ctx, tx);
  showClaims(changes, others, guild);
  await recordClaims(ctx, tx, changes, { role: 'server' }, 'claim_no_show', [dated.claim], lost, (details) => ({ details }));
}
