import { hoursOver } from '../../../shared/rules/claim-time.ts';
import { instantOf } from '../../../shared/rules/server-save.ts';
import {
  entryFitsEvent,
  WAITS_A_CHARACTER,
  WAITS_IN_ALL,
  WAITS_ON_WAITLIST,
} from '../../../shared/rules/waits.ts';
import type { Event, EventFacts } from '../../../shared/schemas/event.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { type Actor, countAndNames, logActivity } from '../../auth/activity-log.ts';
import { serverSaveClock, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import { readByIds, type Tx, writeInBatches } from '../../db/database.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { deadlineMoved } from '../../jobs/deadlines.ts';
import { endTransfersOfWaitlist } from '../end-transfers.ts';
import { freedHours, waitlistOf } from '../freed-hours.ts';
import { endEntriesWithEvent } from './entries.ts';
import { offerFreedHours } from './offer-freed-hours.ts';
import { addToOpenCount, openStoredEntries, updatePositions } from './waitlist-store.ts';

/** R9.15: reopens the entries that ended today because of this event, which is active again, and offers them free hours. */
export async function reopenEntries(unit: Unit, actor: Actor, event: Event): Promise<void> {
  const fitting = event.type === 'single_claim' ? [] : await reopenable(unit, { event }, event);
  if (fitting.length === 0) return;
  const open = await openStoredEntries(unit.tx);
  // Now, not after the write's work: a character may be on the same waitlist in both events.
  await endEntriesWithEvent(
    unit,
    open.filter((entry) => !entryFitsEvent(entry, event)),
  );
  const reopened = await reopen(unit.tx, fitting);
  if (reopened.length === 0) return;
  await endTransfersOfWaitlist({ ...unit, actor }, reopened);
  deadlineMoved(unit);
  unit.changes.collect(freedHours).everywhere();
  const names = reopened.map(({ character_name }) => character_name);
  await logActivity(unit, actor, {
    action: 'waits_reopened',
    details: { ...countAndNames(names), event_id: event.id, name: event.name },
  });
  // The write itself offers nothing if no entry was open when it began.
  await offerFreedHours(unit);
}

/** Reopens ended entries, as far as the limits of open ones allow. @returns their records */
export async function reopen(tx: Tx, entries: readonly EndedEntry[]): Promise<Wait[]> {
  const reopened = withinLimits(entries, await openStoredEntries(tx));
  for (const [member_type, ofType] of Map.groupBy(reopened, (entry) => entry.current_type)) {
    await writeInBatches(ofType, (some) =>
      tx
        .updateTable('waits')
        .set({
          status: 'waiting',
          ended_at: null,
          held_claim_id: null,
          ended_with_event: 0,
          member_type,
        })
        .where(
          'id',
          'in',
          some.map(({ id }) => id),
        )
        .execute(),
    );
  }
  await addToOpenCount(tx, reopened.length);
  return updatePositions(
    tx,
    reopened.map(({ id }) => id),
  );
}

interface EndedEntry {
  id: number;
  respawn_id: number;
  date: string;
  hour_start: number;
  hour_end: number;
  character_name: string;
  character_key: string;
  /** The key's member type now (R9.11). */
  current_type: string;
}

/** Entries that ended today with their event, or void ones by their ids. */
type Ended = { event: Event } | { ids: readonly number[] };

/**
 * In the order of joining, without those whose character, date, spot, hours or event no longer allow it.
 * @param active the event that is active, or becomes it
 */
export async function reopenable(
  { ctx, tx }: Unit,
  ended: Ended,
  active: EventFacts | null,
): Promise<EndedEntry[]> {
  const { date: today, hour } = serverSaveNow(ctx);
  let all = tx
    .selectFrom('waits')
    .innerJoin('respawns', 'respawns.id', 'waits.respawn_id')
    .leftJoin('bans', 'bans.character_key', 'waits.character_key')
    .leftJoin('access_keys', 'access_keys.character_key', 'waits.character_key')
    .select([
      'waits.id',
      'waits.respawn_id',
      'waits.event_id',
      'waits.date',
      'waits.hour_start',
      'waits.hour_end',
      'waits.character_name',
      'waits.character_key',
    ])
    .select(({ fn }) =>
      fn.coalesce('access_keys.member_type', 'waits.member_type').as('current_type'),
    )
    .where('respawns.is_enabled', '=', 1)
    .where('bans.character_key', 'is', null)
    // An admin can add a character without a key.
    .where(({ eb, or, and }) =>
      or([
        eb('access_keys.is_revoked', '=', 0),
        and([eb('access_keys.is_revoked', 'is', null), eb('waits.is_by_admin', '=', 1)]),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('occupied_days')
            .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
            .select('claims.id')
            .whereRef('occupied_days.character_key', '=', 'waits.character_key')
            .whereRef('occupied_days.date', '=', 'waits.date')
            .where('claims.held_until', 'is', null),
        ),
      ),
    )
    .orderBy('waits.id');
  if ('event' in ended) {
    all = all
      .where('waits.event_id', '=', ended.event.id)
      .where('waits.ended_with_event', '=', 1)
      .where('waits.ended_at', '>=', instantOf(today, 0, serverSaveClock(ctx)).toISOString());
  }
  const rows =
    'event' in ended
      ? await all.execute()
      : await readByIds(ended.ids, (some) =>
          all.where('waits.status', '=', 'void').where('waits.id', 'in', some).execute(),
        );
  const fitting = rows.filter((row) => entryFitsEvent({ ...row, status: 'waiting' }, active));
  return fitting.filter(
    ({ date, hour_end }) => hoursOver(date, { today, hour, may_enter_past: false }) < hour_end,
  );
}

/** R9.4: leaves out those that are too many by now, and second entries of a character on one waitlist. */
function withinLimits(
  entries: readonly EndedEntry[],
  open: readonly Pick<EndedEntry, 'respawn_id' | 'date' | 'character_key'>[],
): EndedEntry[] {
  // Characters by waitlist, and waitlists by character.
  const onWaitlist = new Map<string, Set<string>>();
  const ofCharacter = new Map<string, Set<string>>();
  let total = 0;
  const add = (waitlist: string, character_key: string): void => {
    onWaitlist.set(waitlist, (onWaitlist.get(waitlist) ?? new Set()).add(character_key));
    ofCharacter.set(character_key, (ofCharacter.get(character_key) ?? new Set()).add(waitlist));
    total += 1;
  };
  for (const entry of open) add(waitlistOf(entry), entry.character_key);
  return entries.filter((entry) => {
    const waitlist = waitlistOf(entry);
    const own = ofCharacter.get(entry.character_key);
    const isFull =
      total >= WAITS_IN_ALL || (onWaitlist.get(waitlist)?.size ?? 0) >= WAITS_ON_WAITLIST;
    if (isFull || own?.has(waitlist) || (own?.size ?? 0) >= WAITS_A_CHARACTER) return false;
    add(waitlist, entry.character_key);
    return true;
  });
}
