import type { ActivityAction } from '../../../shared/activity-actions.ts';
import { lengthOf } from '../../../shared/rules/budget.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import type { ActivityDetails } from '../../../shared/schemas/activity-details.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Wait, WaitStatus } from '../../../shared/schemas/wait.ts';
import { type Actor, countAndNames, logActivities, logActivity } from '../../auth/activity-log.ts';
import { retypedByType } from '../../auth/changed-members.ts';
import { inBatches, readByIds, type Tx, writeInBatches } from '../../db/database.ts';
import { MANY_CHANGES, type Unit, type WriteHook } from '../../db/unit-of-work.ts';
import { deadlineMoved } from '../../jobs/deadlines.ts';
import { type ClaimChange, loadClaims, loadDatedClaims } from '../claims/claim-records.ts';
import { beginClaimWrite, type ClaimWrite, claimsChanged } from '../claims/claims-changed.ts';
import { deleteClaims } from '../claims/end-claims.ts';
import { freedHours } from '../freed-hours.ts';
import { memberTypeOrFallback } from '../records/members.ts';
import { findRespawnLabels } from '../records/respawns.ts';
import {
  addToOpenCount,
  offeredEntries,
  openEntriesOf,
  type StoredEntry,
  waitAgain,
  waitRecord,
} from './waitlist-store.ts';

/** How an entry ends without the hours. */
type EndStatus = Exclude<WaitStatus, 'waiting' | 'offered' | 'accepted'>;

const ACTIONS = {
  withdrawn: 'wait_withdrawn',
  void: 'wait_voided',
  declined: 'hold_declined',
  lapsed: 'hold_lapsed',
} as const satisfies { [S in EndStatus]: ActivityAction };

const HOLD_CAUSES = {
  withdrawn: 'hold_declined',
  void: 'hold_voided',
  declined: 'hold_declined',
  lapsed: 'hold_lapsed',
} as const satisfies { [S in EndStatus]: HoldCause };

const SERVER: Actor = { role: 'server' };

/** Ends open entries and deletes their holds; the write then offers the freed hours (R9.9). By default the server does. */
export async function endEntries(
  unit: Unit,
  waits: readonly StoredEntry[],
  { status, actor = SERVER }: { status: EndStatus; actor?: Actor },
): Promise<void> {
  if (waits.length === 0) return;
  const holds = await deleteHolds(
    await beginClaimWrite(unit, actor),
    HOLD_CAUSES[status],
    waits.flatMap(({ held_claim_id }) => held_claim_id ?? []),
  );
  await closeEntries(unit, waits, status);
  const details = await describeEntries(unit.tx, waits, holds);
  if (status === 'declined' || status === 'lapsed')
    await logActivities(unit, actor, {
      action: ACTIONS[status],
      entries: holdDetails(details),
    });
  else {
    const entries = details.map(({ wait }) => ({ details: wait }));
    await logActivities(unit, actor, { action: ACTIONS[status], entries });
  }
}

/** Ends entries because of their event. The log counts them in one entry: an event may end hundreds. */
export async function endEntriesWithEvent(
  unit: Unit,
  waits: readonly StoredEntry[],
): Promise<void> {
  if (waits.length > 1) {
    await deleteHolds(
      await beginClaimWrite(unit, SERVER),
      'hold_voided',
      waits.flatMap(({ held_claim_id }) => held_claim_id ?? []),
    );
    await closeEntries(unit, waits, 'void');
    const details = countAndNames(waits.map(({ character_name }) => character_name));
    await logActivity(unit, SERVER, { action: 'waits_voided', details });
  } else await endEntries(unit, waits, { status: 'void' });
  await writeInBatches(waits, (some) =>
    unit.tx
      .updateTable('waits')
      .set({ ended_with_event: 1 })
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute(),
  );
}

/** Stores that entries ended; the write then renumbers their waitlists. */
export async function closeEntries(
  unit: Unit,
  waits: readonly StoredEntry[],
  status: Exclude<WaitStatus, 'waiting' | 'offered'>,
): Promise<void> {
  const { ctx, tx, changes } = unit;
  const ended_at = ctx.now().toISOString();
  const ids = waits.map(({ id }) => id);
  await readByIds(ids, (some) =>
    tx
      .updateTable('waits')
      .set({ status, ended_at, position: 0, held_until: null, quiet_until: null })
      .where('id', 'in', some)
      .returning('id')
      .execute(),
  );
  await addToOpenCount(tx, -waits.length);
  deadlineMoved(unit);
  if (waits.length > MANY_CHANGES) changes.reset();
  else for (const { id } of waits) changes.remove('wait', id);
  noteFreed(unit, waits);
}

/** The waitlists of these entries, and of their characters, are checked after the work of the write. */
function noteFreed(
  { changes }: Unit,
  waits: readonly Pick<StoredEntry, 'respawn_id' | 'date' | 'character_key'>[],
): void {
  const freed = changes.collect(freedHours);
  for (const { respawn_id, date, character_key } of waits) {
    freed.at(respawn_id, date);
    freed.of(character_key);
  }
}

type HoldCause = 'hold_declined' | 'hold_lapsed' | 'hold_voided' | 'hold_withdrawn';

/** Deletes the claims that hold hours, unless they are gone. @returns those claims */
async function deleteHolds(
  unit: ClaimWrite,
  cause: HoldCause,
  ids: readonly number[],
): Promise<Claim[]> {
  if (ids.length === 0) return [];
  const holds = (await loadClaims(unit.tx, { type: 'ids', ids })).filter(
    ({ is_held }) => is_held === 1,
  );
  if (holds.length > 0)
    await deleteClaims(unit, { type: 'ids', ids: holds.map(({ id }) => id) }, { cause });
  return holds;
}

/**
 * Withdraws the offers of some holds, because an undo restores their hours. Their entries wait again at their old positions, and their
 * members are notified.
 */
export async function withdrawOffers(
  unit: ClaimWrite,
  claim_ids: readonly number[],
): Promise<void> {
  if (claim_ids.length === 0) return;
  const { tx, changes } = unit;
  const waits = await offeredEntries(tx, claim_ids);
  const holds = await deleteHolds(unit, 'hold_withdrawn', claim_ids);
  const details = await describeEntries(tx, waits, holds);
  for (const record of await waitAgain(tx, waits)) changes.put({ kind: 'wait', record });
  deadlineMoved(unit);
  noteFreed(unit, waits);
  await logActivities(unit, SERVER, { action: 'hold_withdrawn', entries: holdDetails(details) });
}

type WaitDetails = ActivityDetails<'wait_voided'>;
interface EntryDetails {
  wait: WaitDetails;
  /** The same with the hours of its hold. */
  hold: ActivityDetails<'hold_lapsed'> | null;
}

/** Details for the activity log, in the order of the entries. */
export async function describeEntries(
  tx: Tx,
  waits: readonly Wait[],
  holds: readonly Claim[],
): Promise<EntryDetails[]> {
  const spots = await findRespawnLabels(tx, new Set(waits.map(({ respawn_id }) => respawn_id)));
  const held = new Map(holds.map((claim) => [claim.id, claim]));
  return waits.map(
    ({
      id,
      character_name,
      member_type,
      date,
      respawn_id,
      hour_start,
      hour_end,
      held_claim_id,
    }) => {
      const at = ({ hour_start, hour_end }: HourRange) => [
        { respawn_id, respawn_name: spots.get(respawn_id)?.name ?? '', hour_start, hour_end },
      ];
      const claim = held_claim_id === null ? undefined : held.get(held_claim_id);
      const wait = {
        wait_id: id,
        character_name,
        member_type,
        date,
        places: at({ hour_start, hour_end }),
      };
      return { wait, hold: claim ? { ...wait, claim_id: claim.id, places: at(claim) } : null };
    },
  );
}

/** Only of entries that had a hold. */
export const holdDetails = (
  details: readonly EntryDetails[],
): { details: ActivityDetails<'hold_lapsed'> }[] =>
  details.flatMap(({ hold }) => (hold ? [{ details: hold }] : []));

/**
 * R9.11: changes the type of characters' open entries and holds with their keys' type. Offers then use its voucher and budget; an
 * existing hold keeps its hours.
 */
export const retypeEntries: WriteHook = {
  after: async (unit) => {
    for (const retyped of retypedByType(unit)) await changeEntryType(unit, retyped);
  },
};

async function changeEntryType(
  unit: Unit,
  { character_keys, member_type }: { character_keys: readonly string[]; member_type: string },
): Promise<void> {
  const { tx, changes } = unit;
  const others = (await openEntriesOf(tx, character_keys)).filter(
    (wait) => wait.member_type !== member_type,
  );
  if (others.length === 0) return;
  for (const some of inBatches(others)) {
    const ids = some.map(({ id }) => id);
    await tx.updateTable('waits').set({ member_type }).where('id', 'in', ids).execute();
  }
  if (others.length > MANY_CHANGES) changes.reset();
  else
    for (const wait of others)
      changes.put({ kind: 'wait', record: { ...waitRecord(wait), member_type } });
  const held = others.flatMap(({ held_claim_id }) => held_claim_id ?? []);
  if (held.length > 0) await changeHoldType(unit, held, member_type);
  for (const { character_key } of others) changes.collect(freedHours).of(character_key);
}

async function changeHoldType(
  unit: Unit,
  ids: readonly number[],
  member_type: string,
): Promise<void> {
  const { tx } = unit;
  const { voucher_duration_hours: voucher_duration } = await memberTypeOrFallback(tx, member_type);
  const holds = await loadDatedClaims(tx, { type: 'ids', ids });
  const retyped: ClaimChange[] = [];
  for (const [length, ofLength] of Map.groupBy(holds, ({ claim }) => lengthOf([claim]))) {
    const type = {
      member_type,
      voucher_duration,
      custom_duration: length === voucher_duration ? null : length,
    };
    for (const some of inBatches(ofLength)) {
      const alike = some.map(({ claim }) => claim.id);
      await tx.updateTable('claims').set(type).where('id', 'in', alike).execute();
    }
    retyped.push(
      ...ofLength.map((before) => ({
        before,
        after: { ...before, claim: { ...before.claim, ...type } },
      })),
    );
  }
  await claimsChanged(await beginClaimWrite(unit, SERVER), retyped, {
    cause: 'hold_changed',
  });
}
