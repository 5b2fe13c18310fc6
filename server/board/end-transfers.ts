import { rangesOverlap } from '../../shared/rules/hours.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { TransferOutcome, TransferPlace } from '../../shared/schemas/transfer.ts';
import type { Wait } from '../../shared/schemas/wait.ts';
import { type Actor, logActivities, nameOf } from '../auth/activity-log.ts';
import { formerMembers } from '../auth/changed-members.ts';
import { inBatches, readByIds, type Tx } from '../db/database.ts';
import { domainEvents } from '../db/domain-events.ts';
import {
  type DeadlineSource,
  MANY_CHANGES,
  type Unit,
  type WriteHook,
} from '../db/unit-of-work.ts';
import { deadlineMoved } from '../jobs/deadlines.ts';
import {
  allOpenTransfers,
  findTransfers,
  firstExpiry,
  hasOpenTransfers,
  openTransfersAmong,
  openTransfersOfClaims,
  ownersOf,
  type StoredTransfer,
  transferRecord,
  transfersDue,
} from './records/transfers.ts';

export interface TransferEnd extends Unit {
  actor: Actor;
}

/** Ends open transfers: both members are sent the change, and notified why, except the one who did it. */
export async function endTransfers(
  write: TransferEnd,
  transfers: readonly StoredTransfer[],
  outcome: TransferOutcome,
): Promise<void> {
  if (transfers.length === 0) return;
  const { ctx, tx, changes, actor } = write;
  const ids = transfers.map(({ id }) => id);
  const end = { ended_at: ctx.now().toISOString(), outcome };
  await readByIds(ids, (some) =>
    tx.updateTable('transfers').set(end).where('id', 'in', some).returning('id').execute(),
  );
  deadlineMoved(write);
  if (transfers.length > MANY_CHANGES) changes.reset();
  else for (const each of transfers) changes.removeOwned('transfer', each.id, ownersOf(each));
  for (const each of transfers) {
    changes.collect(domainEvents).report({
      type: 'transfer.ended',
      data: { ...transferRecord(each), outcome, by: nameOf(actor) },
    });
  }
  await logActivities(write, actor, {
    action: 'transfer_ended',
    entries: transfers.map((each) => ({ details: { ...transferDetails(each), outcome } })),
  });
}

const hoursOf = ({ respawn_id, respawn_name, hour_start, hour_end }: TransferPlace) => {
  return [{ respawn_id, respawn_name, hour_start, hour_end }];
};

/** The details of a transfer in the activity log: the offered claim, its character, and the recipient. */
export const transferDetails = ({
  id,
  claim_id,
  for_claim_id,
  from,
  to,
  offered,
}: StoredTransfer) => ({
  transfer_id: id,
  claim_id,
  character_name: from,
  to_name: to,
  date: offered.date,
  places: hoursOf(offered),
  ...(for_claim_id !== null && { for_claim_id }),
});

/** Ends the transfers of claims that changed. Without open transfers it costs one query. */
export async function endTransfersOfClaims(
  write: TransferEnd,
  claim_ids: readonly number[],
): Promise<void> {
  if (claim_ids.length === 0 || !(await hasOpenTransfers(write.tx))) return;
  await endTransfers(write, await openTransfersOfClaims(write.tx, claim_ids), 'changed');
}

/** The waitlist comes first: ends the transfers of hours that a member now waits for. */
export async function endTransfersOfWaitlist(
  write: TransferEnd,
  entries: readonly Pick<Wait, 'respawn_id' | 'date' | 'hour_start' | 'hour_end'>[],
): Promise<void> {
  if (entries.length === 0 || !(await hasOpenTransfers(write.tx))) return;
  const ids = new Set<number>();
  for (const column of ['transfers.claim_id', 'transfers.for_claim_id'] as const) {
    const parts = await write.tx
      .selectFrom('transfers')
      .innerJoin('claims', 'claims.id', column)
      .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
      .select(['transfers.id', 'claims.date', 'respawn_id', 'hour_start', 'hour_end', 'last_date'])
      .where('transfers.ended_at', 'is', null)
      .execute();
    for (const part of parts) {
      const isWanted = entries.some(
        ({ respawn_id, date, hour_start, hour_end }) =>
          part.respawn_id === respawn_id &&
          (part.date === null ? part.last_date >= date : part.date === date) &&
          rangesOverlap(part, { hour_start, hour_end }),
      );
      if (isWanted) ids.add(part.id);
    }
  }
  await endTransfers(write, await findTransfers(write.tx, [...ids]), 'waitlist');
}

/** Members may transfer claims no longer. */
export const endAllTransfers = async (write: TransferEnd): Promise<void> =>
  endTransfers(write, await allOpenTransfers(write.tx), 'disabled');

export const endTransfersOfFormerMembers: WriteHook = {
  after: async (unit) => {
    for (const some of inBatches(unit.changes.collect(formerMembers).keys())) {
      const theirs = await openTransfersAmong(unit.tx, some);
      await endTransfers({ ...unit, actor: { role: 'server' } }, theirs, 'gone');
    }
  },
};

/** Expires transfers that were not answered in time. After a clock jump or the server's absence, an hour later. */
export const transfersExpire: DeadlineSource = {
  name: 'transfers',
  needsNoSettings: true,
  earliest: async (ctx, db) => {
    const { steadySince, trustsPast } = await ctx.heartbeats.uptime(db);
    const first = await firstExpiry(db);
    if (first === null) return null;
    const next = steadySince && (await firstExpiry(db, steadySince.toISOString()));
    const trusted = trustsPast(new Date(first)).toISOString();
    return next !== null && next < trusted ? next : trusted;
  },
  expire: async (unit, until) => {
    const { trustsPast } = await unit.ctx.heartbeats.uptime(unit.tx);
    const due = await transfersDue(unit.tx, until);
    const expired = due.filter(
      ({ expires_at }) => trustsPast(new Date(expires_at)).toISOString() <= until,
    );
    await endTransfers({ ...unit, actor: { role: 'server' } }, expired, 'expired');
  },
};

/** How many members are on the waitlist for some of these hours. */
export async function countWaiting(
  tx: Tx,
  parts: readonly { respawn_id: number; hour_start: number; hour_end: number }[],
  { first_date, last_date }: { first_date: string; last_date: string },
): Promise<number> {
  const waiting = new Set<string>();
  for (const { respawn_id, hour_start, hour_end } of parts) {
    const found = await tx
      .selectFrom('waits')
      .select('character_name')
      .where('ended_at', 'is', null)
      .where('respawn_id', '=', respawn_id)
      .where('date', '>=', first_date)
      .where('date', '<=', last_date)
      .where('hour_start', '<', hour_end)
      .where('hour_end', '>', hour_start)
      .execute();
    for (const { character_name } of found) waiting.add(nameKey(character_name));
  }
  return waiting.size;
}
