import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { type ConfirmTime, confirmTime, isNoShow } from '../../../shared/rules/confirm.ts';
import { breathe, inBatches } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import type { DueSource } from '../../jobs/deadlines/source.ts';
import type { Writing } from '../../jobs/writing.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { serverSaveClock } from '../config/clock.ts';
import { recordClaims } from './changes.ts';
import { deleteClaimsIn } from './delete.ts';
import { type Ended, endedNow } from './endings.ts';
import { giveUp } from './give-up.ts';
import { readGuildNow } from './guild-now.ts';
import { countAsConfirmed, unconfirmed } from './judge.ts';
import { tellPartMissed } from './news.ts';
import { claimRows, type DatedClaim, loadDatedClaims } from './queries.ts';
import { showClaims } from './show.ts';

/** Claims that are looked at in a turn of the event loop. */
const CLAIMS_A_TURN = 250;

type Ctx = Pick<Writing, 'env' | 'now'>;
type Clock = Pick<Env, 'SS_TIME_ZONE' | 'SS_HOUR'>;

/**
 * R9.26: deletes claims that were not confirmed in time, those that began first first. If no server was up during all of the
 * confirmation window, or the clock jumped meanwhile, the claim counts as confirmed.
 */
export const noShowsDue = (env: Clock): DueSource => ({
  name: 'no-shows',
  earliest: async (db) => {
    const first = await unconfirmed(db).limit(1).executeTakeFirst();
    if (!first) return null;
    return confirmTime(first, await graceMinutes(db), serverSaveClock({ env })).closes_at.toISOString();
  },
  settle: async (ctx, tx, changes, until) => {
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
