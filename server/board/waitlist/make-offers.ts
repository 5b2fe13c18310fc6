import { lengthOf, mostWithinBudget } from '../../../shared/rules/budget.ts';
import { hoursOver } from '../../../shared/rules/claim-time.ts';
import { isWithinEvent } from '../../../shared/rules/event-period.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { instantOf } from '../../../shared/rules/server-save.ts';
import type { PlannedClaim } from '../../../shared/rules/submission.ts';
import { holdLasts, offerOf, positionsOf } from '../../../shared/rules/waits.ts';
import type { EventFacts } from '../../../shared/schemas/event.ts';
import type { MemberType } from '../../../shared/schemas/member-type.ts';
import { logActivities } from '../../auth/activity-log.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Uptime } from '../../db/clock/heartbeats.ts';
import { serverSaveClock, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import type { Tx } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { type GuildNow, readGuildNow } from '../claims/board-view.ts';
import { hoursUsedForOffer } from '../claims/claim-facts.ts';
import type { DatedClaim } from '../claims/claim-records.ts';
import { beginClaimWrite, claimsChanged } from '../claims/claims-changed.ts';
import { storeClaims } from '../claims/store-claims.ts';
import { readConfig } from '../records/config.ts';
import { memberTypeOrFallback } from '../records/member-types.ts';
import { affectedWaitlists, lineOf, type TouchedLines } from './affected-waitlists.ts';
import { PassedOver } from './deadlines.ts';
import { endWaits, toldOf } from './entries.ts';
import { noteOffers, placeAnew, type StoredWait, waitsInLines } from './waitlist-store.ts';

/**
 * The one function of the state by which hours that came free reach whoever is next in line, whatever freed them: it looks at
 * the lines that the write touched. First go those whose wait is void (R9.9), which may free more; then the rest is offered
 * what there is (R9.6), whoever came first first in all lines together; then everybody moves up (R9.5).
 * @param isServed whether to look at the waitlist of a spot and date; it is asked about each that was touched
 */
export async function serveLines(
  ctx: Writing,
  tx: Tx,
  changes: ChangeRecorder,
  isServed: (line: string) => boolean = () => true,
): Promise<void> {
  const guild = await readGuildNow(ctx, tx);
  const seen = new Set<string>();
  let isAll = false;
  let state: { waits: StoredWait[]; facts: LineFacts } | null = null;
  while (changes.collect(affectedWaitlists).any) {
    const touched = changes.collect(affectedWaitlists).take();
    // Those that were looked at before, too: what is void now may have been theirs.
    isAll ||= touched.all || seen.size > MANY_CHANGES;
    const found = await waitsInLines(tx, { ...touched, all: isAll, lines: new Set([...touched.lines, ...seen]) });
    const waits = found.filter((wait) => isServed(lineOf(wait)));
    for (const wait of waits) seen.add(lineOf(wait));
    if (waits.length === 0) return;
    const facts = await readLineFacts(tx, waits);
    const isVoid = voidBy(ctx, guild, facts, touched, await ctx.heartbeats.uptime(tx));
    await endWaits(ctx, tx, changes, { role: 'server' }, waits.filter(isVoid), 'void');
    state = { waits, facts };
  }
  if (!state) return;
  const offered = await makeOffers(ctx, tx, changes, guild, state.waits, state.facts);
  await moveUp(tx, changes, state.waits, offered);
}

/** R9.9, R9.12: whether a wait is void by what is now so. */
function voidBy(ctx: Writing, { active_event }: GuildNow, { spots, days }: LineFacts, { gone }: TouchedLines, { trustsPast }: Uptime) {
  const { date: today, hour } = serverSaveNow(ctx);
  return (wait: StoredWait): boolean => {
    if (gone.has(wait.character_key) || !spots.has(wait.respawn_id)) return true;
    const isOver = hoursOver(wait.date, { today, hour, may_enter_past: false }) >= wait.hour_end;
    if (isOver && trustsPast(instantOf(wait.date, wait.hour_end, serverSaveClock(ctx))) <= ctx.now()) return true;
    if (!mayBeOf(wait, active_event)) return true;
    const day = days.get(dayOf(wait));
    // Its hold went with whatever took the claim.
    if (wait.status === 'offered') return day?.claim_id !== wait.held_claim_id;
    return day !== undefined && !day.is_held;
  };
}

/**
 * Not where its event is another one, no longer has its date, or is of the type now in which nobody waits. What was held without
 * an event would be of the one that is active now.
 */
function mayBeOf({ event_id, status, date }: StoredWait, event: EventFacts | null): boolean {
  if (event_id === null && (event === null || status === 'waiting')) return true;
  if (!event || (event_id !== null && event_id !== event.id)) return false;
  return event.type !== 'single_claim' && isWithinEvent(date, event);
}

/** Shows everybody whose place is another one now, and those with an offer. */
async function moveUp(tx: Tx, changes: ChangeRecorder, waits: readonly StoredWait[], offered: ReadonlySet<number>): Promise<void> {
  const moved = [...Map.groupBy(waits, lineOf).values()].flatMap((line) => {
    const positions = positionsOf(line);
    return line.flatMap(({ id, position }) => (positions.get(id) !== position || offered.has(id) ? [id] : []));
  });
  const records = await placeAnew(tx, moved);
  if (records.length > MANY_CHANGES) changes.reset();
  else for (const record of records) changes.put({ kind: 'wait', record });
}

interface Offer {
  wait: StoredWait;
  planned: PlannedClaim;
  held_until: string;
}

/**
 * R9.6, R9.7: holds what is free for those next in line. None is made while waiting or submission is off, or during a
 * single_claim event; nor on dates outside the event, nor to whoever has hours held on that date, no budget left, a type that may not
 * claim, or quiet hours.
 * @returns the ids of the waits that have an offer now
 */
export async function makeOffers(
  ctx: Writing,
  tx: Tx,
  changes: ChangeRecorder,
  guild: GuildNow,
  waits: readonly StoredWait[],
  facts: LineFacts,
): Promise<ReadonlySet<number>> {
  const { active_event } = guild;
  const { waits_enabled, submission_enabled, hold_minutes } = await readConfig(ctx, tx);
  if (!waits_enabled || !submission_enabled || active_event?.type === 'single_claim') return new Set();
  const [now, clock] = [ctx.now(), serverSaveClock(ctx)];
  const { date: today, hour } = serverSaveNow(ctx);
  const over = (date: string): number => hoursOver(date, { today, hour, may_enter_past: false });
  const offers: Offer[] = [];
  const mayHave = budgets(tx, active_event, today);
  const passedOver = new PassedOver(tx, waits, now);
  for (const wait of waits) {
    if (wait.status !== 'waiting' || facts.days.has(dayOf(wait))) continue;
    if (active_event && !isWithinEvent(wait.date, active_event)) continue;
    const taken = facts.taken.get(lineOf(wait)) ?? [];
    if (!offerOf(wait, taken, over(wait.date))) continue;
    const { may_claim, voucher, most, offer } = await mayHave(wait);
    if (!may_claim && !wait.is_by_admin) continue;
    const run = offerOf(wait, taken, over(wait.date), most);
    if (!run || (await passedOver.passes(wait))) continue;
    const [start, end] = [instantOf(wait.date, run.hour_start, clock), instantOf(wait.date, run.hour_end, clock)];
    const held_until = new Date(now.getTime() + holdLasts(hold_minutes, now, start, end)).toISOString();
    offers.push({ wait, planned: plannedFor(wait, run, voucher, active_event?.id ?? null), held_until });
    offer(run);
    facts.taken.set(lineOf(wait), [...taken, run]);
    facts.days.set(dayOf(wait), { claim_id: 0, is_held: true });
  }
  await passedOver.note(tx, changes);
  if (offers.length > 0) await storeOffers(ctx, tx, changes, offers);
  return new Set(offers.map(({ wait }) => wait.id));
}

function plannedFor(wait: StoredWait, run: HourRange, voucher: number, event_id: number | null): PlannedClaim {
  const length = run.hour_end - run.hour_start;
  return {
    event_id,
    date: wait.date,
    dates: [wait.date],
    character_name: wait.character_name,
    member_type: wait.member_type,
    parts: [{ part_number: 1, respawn_id: wait.respawn_id, ...run }],
    asked_start: run.hour_start,
    voucher_duration: voucher,
    custom_duration: length === voucher ? null : length,
    is_split_claim: 0,
    is_secondary_claim: 0,
    secondary_priority: 0,
  };
}

async function storeOffers(ctx: Writing, tx: Tx, changes: ChangeRecorder, offers: readonly Offer[]): Promise<void> {
  const unit = await beginClaimWrite(ctx, tx, changes, { role: 'server' });
  const held: { wait: StoredWait; hold: DatedClaim; held_until: string }[] = [];
  for (const [held_until, together] of Map.groupBy(offers, (offer) => offer.held_until)) {
    const planned = together.map((offer) => offer.planned);
    for (const [nth, hold] of (await storeClaims(unit, planned, { held_until })).entries()) {
      const wait = together[nth]?.wait;
      if (wait) held.push({ wait: { ...wait, event_id: hold.claim.event_id, held_claim_id: hold.claim.id }, hold, held_until });
    }
  }
  await noteOffers(
    tx,
    held.map(({ wait }) => wait.id),
  );
  const claims = held.map(({ hold }) => hold.claim);
  const wait_ids = new Map(held.map(({ hold, wait }) => [hold.claim.id, wait.id]));
  await claimsChanged(
    unit,
    held.map(({ hold }) => ({ before: null, after: hold })),
    { cause: 'hold_offered', wait_ids },
  );
  const told = await toldOf(
    tx,
    held.map(({ wait }) => wait),
    claims,
  );
  const deeds = told.flatMap(({ hold }, nth) => (hold ? [{ details: { ...hold, held_until: held[nth]?.held_until ?? '' } }] : []));
  await logActivities(changes, { role: 'server' }, 'hold_offered', deeds);
}

/** Whose day it is: a claim's, or only a hold's. */
export interface Day {
  claim_id: number;
  is_held: boolean;
}

/** What stands around some waits. */
export interface LineFacts {
  /** Spots that take claims. */
  spots: ReadonlySet<number>;
  /** The hours that are occupied, by line. */
  taken: Map<string, HourRange[]>;
  /** The days that are occupied, by character and date: `dayOf`. */
  days: Map<string, Day>;
}

export const dayOf = ({ character_key, date }: { character_key: string; date: string }): string => `${date} ${character_key}`;

/** A statement each for the spots, the hours and the days, however many waits they are. */
export async function readLineFacts(tx: Tx, waits: readonly StoredWait[]): Promise<LineFacts> {
  const spots = [...new Set(waits.map(({ respawn_id }) => respawn_id))];
  const ids = waits.map(({ id }) => id);
  const enabled = await tx.selectFrom('respawns').select('id').where('id', 'in', spots).where('is_enabled', '=', 1).execute();
  // Of their lines alone: all their spots on all their dates would be most of what is claimed.
  const hours = await tx
    .selectFrom('occupied_hours')
    .select(['respawn_id', 'date', 'hour'])
    .where(({ eb, refTuple, selectFrom }) => {
      const lines = selectFrom('waits').select(['respawn_id', 'date']).where('id', 'in', ids);
      return eb(refTuple('respawn_id', 'date'), 'in', lines.$asTuple('respawn_id', 'date'));
    })
    .execute();
  const days = await tx
    .selectFrom('occupied_days')
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .select(['occupied_days.character_key', 'occupied_days.date', 'claim_id', 'held_until'])
    .where(({ eb, refTuple, selectFrom }) => {
      const theirs = selectFrom('waits').select(['waits.date', 'waits.character_key']).where('waits.id', 'in', ids);
      return eb(refTuple('occupied_days.date', 'occupied_days.character_key'), 'in', theirs.$asTuple('date', 'character_key'));
    })
    .execute();
  const taken = new Map<string, HourRange[]>();
  for (const { hour, ...row } of hours)
    taken.set(lineOf(row), [...(taken.get(lineOf(row)) ?? []), { hour_start: hour, hour_end: hour + 1 }]);
  return {
    spots: new Set(enabled.map(({ id }) => id)),
    taken,
    days: new Map(days.map(({ claim_id, held_until, ...row }) => [dayOf(row), { claim_id, is_held: held_until !== null }])),
  };
}

/** What whoever waits may be offered of a date, in hours. */
interface MayHave {
  /** R4.3, R4.4: members of its type claim by now. */
  may_claim: boolean;
  voucher: number;
  /** The voucher, or less where that is all that is left of the budget. */
  most: number;
  /** Notes what is offered now. */
  offer: (run: HourRange) => void;
}

/**
 * Asks for each member type once, and once for what a character has. What is held counts, or of two offers the second could
 * not be accepted.
 */
export function budgets(tx: Tx, event: EventFacts | null, today: string): (wait: StoredWait) => Promise<MayHave> {
  const types = new Map<string, MemberType>();
  const had = new Map<string, { used: number } | null>();
  return async ({ member_type, character_key }) => {
    const type = types.get(member_type) ?? (await memberTypeOrFallback(tx, member_type));
    types.set(member_type, type);
    const inEvent = had.get(character_key) ?? (await hoursUsedForOffer(tx, character_key, type, event));
    had.set(character_key, inEvent);
    const voucher = type.voucher_duration_hours;
    const offer = (run: HourRange): void => {
      if (inEvent) inEvent.used += lengthOf([run]);
    };
    const may_claim = type.can_submit === 1 && type.earliest_submission_date <= today;
    return { may_claim, voucher, most: Math.min(voucher, mostWithinBudget(type, inEvent)), offer };
  };
}
