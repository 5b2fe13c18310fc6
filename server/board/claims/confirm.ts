import { sql } from 'kysely';
import { DomainError } from '../../../shared/errors.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import {
  assertTimeToConfirm,
  type ConfirmTime,
  confirmTime,
  isNoShow,
} from '../../../shared/rules/confirm.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import { actorOf } from '../../auth/authenticate.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import {
  BATCH_SIZE,
  CLAIM_BATCH_SIZE,
  type Db,
  inBatches,
  type Reading,
  type Tx,
  yieldToEventLoop,
} from '../../db/database.ts';
import { type DeadlineSource, type Unit, type Writing, write } from '../../db/unit-of-work.ts';
import type { Caller } from '../../http/caller.ts';
import { deadlineMoved } from '../../jobs/deadlines.ts';
import { type ClaimChange, type DatedClaim, loadDatedClaims } from './claim-records.ts';
import {
  answeredRows,
  beginClaimWrite,
  type ClaimWrite,
  claimsChanged,
  manyClaimsChanged,
} from './claims-changed.ts';
import { deleteClaims, giveUpHours, type NamedPart, namedPart, ownClaim } from './end-claims.ts';
import { markConfirmed } from './store-claims.ts';

/**
 * Confirms that the holder of a claim, or of a part of a split one, is there (R9.24, R9.25).
 * @returns the claim's rows as they are now
 * @throws DomainError confirm.*, claim.notFound, split.whichPart, split.partGone
 */
export function confirmClaim(
  ctx: Writing,
  by: Caller,
  { id, part_number }: NamedPart,
): Promise<ClaimRow[]> {
  return write(ctx, async (base) => {
    const { tx, at } = base;
    const actor = await actorOf(tx, by);
    const unit = await beginClaimWrite(base, actor);
    const before = await orMissed(tx, id, () =>
      ownClaim(tx, actor, { id, otherwise: 'confirm.otherCharacter' }),
    );
    const { claim } = before;
    if (!unit.guild.confirm_enabled) throw new DomainError('confirm.disabled');
    const part = namedPart(claim, part_number);
    const number = part.split_part_number ?? 1;
    if (claim.date === null || !claim.to_confirm.some((each) => each === number))
      throw new DomainError('confirm.notNeeded');
    const { hour_start } = part;
    assertTimeToConfirm(
      confirmTime({ date: claim.date, hour_start }, unit.guild.grace_minutes, serverSaveClock(ctx)),
      at,
    );
    await markConfirmed(tx, id, number);
    const after = withoutConfirmation(before, [number]);
    await claimsChanged(unit, [{ before, after }], { cause: 'confirmed' });
    return answeredRows(unit, [after.claim]);
  });
}

const withoutConfirmation = (dated: DatedClaim, part_numbers: readonly number[]): DatedClaim => {
  const to_confirm = dated.claim.to_confirm.filter((part) => !part_numbers.includes(part));
  return { ...dated, claim: { ...dated.claim, to_confirm } };
};

/** Members who confirm too late learn that their claim was a no-show, rather than that there is none. */
async function orMissed(tx: Tx, id: number, find: () => Promise<DatedClaim>): Promise<DatedClaim> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'claim.notFound') throw error;
    const missed = tx
      .selectFrom('claim_endings')
      .select('id')
      .where('claim_id', '=', id)
      .where('reason', '=', 'no_show');
    throw (await missed.limit(1).executeTakeFirst()) ? new DomainError('confirm.over') : error;
  }
}

/** Parts that have yet to be confirmed, the earliest first; in a total order, as they are read page by page. */
const unconfirmed = (db: Db | Tx) =>
  db
    .selectFrom('claim_parts')
    .select(['claim_id', 'part_number', 'last_date as date', 'hour_start'])
    .where((where) => where('to_confirm', '=', where.lit(1)))
    // Always true: it makes SQLite search the index instead of scanning it.
    .where('last_date', '>=', sql.lit(''))
    .orderBy('last_date')
    .orderBy('hour_start')
    .orderBy('claim_id')
    .orderBy('part_number');

/**
 * Applies a change of the guild's confirmation settings: deadlines move. Switched off, no claim has to be confirmed any more, not even
 * when it is switched on again (R9.24).
 */
export async function changeConfirming(
  unit: Unit,
  { confirm_enabled }: { confirm_enabled: number },
): Promise<void> {
  deadlineMoved(unit);
  if (confirm_enabled) return;
  await manyClaimsChanged(await beginClaimWrite(unit, { role: 'server' }), confirmAll(unit.tx), {
    cause: 'excused',
  });
}

async function* confirmAll(tx: Tx): AsyncGenerator<ClaimChange[], void> {
  for (;;) {
    const ids = new Set(
      (await unconfirmed(tx).limit(BATCH_SIZE).execute()).map(({ claim_id }) => claim_id),
    );
    if (ids.size === 0) return;
    for (const some of inBatches(ids, CLAIM_BATCH_SIZE)) {
      const claims = await loadDatedClaims(tx, { type: 'ids', ids: some });
      await tx
        .updateTable('claim_parts')
        .set({ to_confirm: 0 })
        .where('claim_id', 'in', some)
        .execute();
      yield claims.map((before) => ({
        before,
        after: withoutConfirmation(before, before.claim.to_confirm),
      }));
      await yieldToEventLoop();
    }
  }
}

/**
 * R9.26: deletes claims that were not confirmed in time, the earliest first. If no server was up during all of the confirmation window,
 * or the clock jumped meanwhile, the claim counts as confirmed.
 */
export const noShowDeadlines: DeadlineSource = {
  name: 'no-shows',
  earliest: async (ctx, db) => {
    const first = await unconfirmed(db).limit(1).executeTakeFirst();
    if (!first) return null;
    return confirmTime(first, await graceMinutes(db), serverSaveClock(ctx)).closes_at.toISOString();
  },
  expire: async (base, until) => {
    const { ctx, tx } = base;
    const unit = await beginClaimWrite(base, { role: 'server' });
    const uptime = await ctx.heartbeats.uptime(tx);
    const missed = await missedBy(tx, ctx.env, new Date(until));
    const { no_shows = [], excused = [] } = Object.groupBy(missed, ({ opens_at, closes_at }) =>
      uptime.wasUpDuring(opens_at, closes_at) ? 'no_shows' : 'excused',
    );
    // First, because a split claim that loses a part renumbers the parts after it.
    await excuse(unit, excused);
    await endNoShows(unit, no_shows);
  },
};

const graceMinutes = async (db: Db | Tx): Promise<number> =>
  (await db.selectFrom('config').select('grace_minutes').executeTakeFirstOrThrow()).grace_minutes;

type Missed = { claim_id: number; part_number: number } & ConfirmTime;

async function missedBy(tx: Tx, env: Reading['env'], until: Date): Promise<Missed[]> {
  const grace = await graceMinutes(tx);
  const clock = serverSaveClock({ env });
  const missed: Missed[] = [];
  for (let offset = 0; ; offset += CLAIM_BATCH_SIZE) {
    const some = await unconfirmed(tx).limit(CLAIM_BATCH_SIZE).offset(offset).execute();
    const due = some
      .map((part) => ({ ...part, ...confirmTime(part, grace, clock) }))
      .filter((part) => isNoShow(part, until));
    missed.push(...due);
    if (due.length < CLAIM_BATCH_SIZE) return missed;
    await yieldToEventLoop();
  }
}

const byClaim = (missed: readonly Missed[]): Map<number, number[]> => {
  const parts = Map.groupBy(missed, ({ claim_id }) => claim_id);
  return new Map(
    [...parts].map(([claim_id, its]) => [claim_id, its.map(({ part_number }) => part_number)]),
  );
};

/** Counts claims as confirmed that no member could have confirmed. */
async function excuse(unit: ClaimWrite, missed: readonly Missed[]): Promise<void> {
  if (missed.length === 0) return;
  const parts = byClaim(missed);
  const before = await loadDatedClaims(unit.tx, { type: 'ids', ids: [...parts.keys()] });
  for (const { claim_id, part_number } of missed)
    await markConfirmed(unit.tx, claim_id, part_number);
  const claims = before.map((dated) => ({
    before: dated,
    after: withoutConfirmation(dated, parts.get(dated.claim.id) ?? []),
  }));
  await claimsChanged(unit, claims, { cause: 'excused' });
}

/** Deletes missed claims, and of split claims only the missed part if the other one was confirmed. */
async function endNoShows(unit: ClaimWrite, missed: readonly Missed[]): Promise<void> {
  const parts = byClaim(missed);
  const wholes: number[] = [];
  for (const ids of inBatches(parts.keys(), CLAIM_BATCH_SIZE)) {
    for (const dated of await loadDatedClaims(unit.tx, { type: 'ids', ids })) {
      const numbers = parts.get(dated.claim.id) ?? [];
      const onRespawns = claimOnRespawns(dated.claim);
      const part = onRespawns.find(({ split_part_number }) =>
        numbers.includes(split_part_number ?? 1),
      );
      if (onRespawns.length === numbers.length) wholes.push(dated.claim.id);
      else if (part)
        await giveUpHours(unit, dated, { part, gone: part, stays: null, cause: 'no_show' });
    }
    await yieldToEventLoop();
  }
  if (wholes.length > 0)
    await deleteClaims(unit, { type: 'ids', ids: wholes }, { cause: 'no_show' });
}
