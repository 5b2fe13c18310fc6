import { lengthOf, mostWithinBudget } from '../../../shared/rules/budget.ts';
import { hoursOver } from '../../../shared/rules/claim-time.ts';
import { isWithinEvent } from '../../../shared/rules/event-period.ts';
import { holdLasts } from '../../../shared/rules/holds.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { instantOf } from '../../../shared/rules/server-save.ts';
import type { PlannedClaim } from '../../../shared/rules/submission.ts';
import { entryFitsEvent, hoursToOffer, positionsOf } from '../../../shared/rules/waits.ts';
import type { EventFacts } from '../../../shared/schemas/event.ts';
import type { MemberType } from '../../../shared/schemas/member-type.ts';
import { logActivities } from '../../auth/activity-log.ts';
import { formerMembers } from '../../auth/changed-members.ts';
import type { Uptime } from '../../db/clock/heartbeats.ts';
import { serverSaveClock, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import type { Reading, Tx } from '../../db/database.ts';
import { MANY_CHANGES, type Unit } from '../../db/unit-of-work.ts';
import { type GuildNow, readGuildNow } from '../claims/board-view.ts';
import { hoursUsedForOffer } from '../claims/claim-facts.ts';
import type { DatedClaim } from '../claims/claim-records.ts';
import { beginClaimWrite, claimsChanged } from '../claims/claims-changed.ts';
import { storeClaims } from '../claims/store-claims.ts';
import { freedHours, waitlistOf } from '../freed-hours.ts';
import { pausesAmong } from '../pauses.ts';
import { readConfig } from '../records/guild.ts';
import {
  type AuthorizedCharacter,
  authorizedCharacters,
  memberTypeOrFallback,
} from '../records/members.ts';
import { SkippedEntries } from './deadlines.ts';
import { describeEntries, endEntries, endEntriesWithEvent } from './entries.ts';
import {
  entriesOfWaitlists,
  type StoredEntry,
  storeOfferedEntries,
  updatePositions,
} from './waitlist-store.ts';

/**
 * The only function that offers freed hours. It checks the waitlists of the hours that the write freed: entries that
 * became void end (R9.9), which may free more hours; the others get offers in the order of joining (R9.6); then all positions are
 * renumbered (R9.5).
 */
export async function offerToWaitlists(unit: Unit): Promise<void> {
  const { ctx, tx, changes } = unit;
  const guild = await readGuildNow(ctx, tx);
  const seen = new Set<string>();
  let isAll = false;
  let state: { waits: StoredEntry[]; facts: WaitlistFacts } | null = null;
  while (changes.collect(freedHours).any) {
    const free = changes.collect(freedHours).take();
    // Also the waitlists checked before: a void entry may have freed hours of theirs.
    isAll ||= free.everywhere || seen.size > MANY_CHANGES;
    const waits = await entriesOfWaitlists(tx, {
      ...free,
      everywhere: isAll,
      waitlists: new Set([...free.waitlists, ...seen]),
    });
    for (const wait of waits) seen.add(waitlistOf(wait));
    if (waits.length === 0) return;
    const facts = await readWaitlistFacts(tx, waits);
    const causeOf = voidCauses(ctx, {
      guild,
      facts,
      former: changes.collect(formerMembers),
      uptime: await ctx.heartbeats.uptime(tx),
    });
    const { event = [], other = [] } = Object.groupBy(waits, (wait) => causeOf(wait) ?? 'none');
    await endEntriesWithEvent(unit, event);
    await endEntries(unit, other, { status: 'void' });
    state = { waits, facts };
  }
  if (!state) return;
  const offered = await makeOffers(unit, state.waits, { guild, facts: state.facts });
  await renumber(unit, state.waits, offered);
}

interface VoidFacts {
  guild: GuildNow;
  facts: WaitlistFacts;
  former: ReadonlyMap<string, unknown>;
  uptime: Uptime;
}

/** R9.9, R9.12: why entries are void. Those that ended with their event may be reopened (R9.15). */
function voidCauses(
  ctx: Reading,
  { guild: { active_event }, facts: { spots, days }, former, uptime: { trustsPast } }: VoidFacts,
) {
  const { date: today, hour } = serverSaveNow(ctx);
  return (wait: StoredEntry): 'event' | 'other' | null => {
    if (former.has(wait.character_key) || !spots.has(wait.respawn_id)) return 'other';
    const isOver = hoursOver(wait.date, { today, hour, may_enter_past: false }) >= wait.hour_end;
    if (
      isOver &&
      trustsPast(instantOf(wait.date, wait.hour_end, serverSaveClock(ctx))) <= ctx.now()
    )
      return 'other';
    if (!entryFitsEvent(wait, active_event)) return 'event';
    const day = days.get(dayOf(wait));
    // An offered entry without its claim: the hold was deleted.
    const isVoid =
      wait.status === 'offered'
        ? day?.claim_id !== wait.held_claim_id
        : day !== undefined && !day.is_held;
    return isVoid ? 'other' : null;
  };
}

/** Shows entries with a new position or a new offer. */
async function renumber(
  { tx, changes }: Unit,
  waits: readonly StoredEntry[],
  offered: ReadonlySet<number>,
): Promise<void> {
  const moved = [...Map.groupBy(waits, waitlistOf).values()].flatMap((waitlist) => {
    const positions = positionsOf(waitlist);
    return waitlist.flatMap(({ id, position }) =>
      positions.get(id) !== position || offered.has(id) ? [id] : [],
    );
  });
  const records = await updatePositions(tx, moved);
  if (records.length > MANY_CHANGES) changes.reset();
  else for (const record of records) changes.put({ kind: 'wait', record });
}

interface Offer {
  wait: StoredEntry;
  character: AuthorizedCharacter;
  planned: PlannedClaim;
  held_until: string;
}

/**
 * R9.6, R9.7: makes holds of free hours. No offers while the waitlist or submission is off, during a single_claim event, on dates
 * outside the event; none to a character with a hold on that date, without budget, whose type may not claim, which missed too many claims,
 * or in quiet hours.
 * @returns the ids of the entries that have an offer now
 */
async function makeOffers(
  unit: Unit,
  waits: readonly StoredEntry[],
  { guild: { active_event }, facts }: { guild: GuildNow; facts: WaitlistFacts },
): Promise<ReadonlySet<number>> {
  const { ctx, tx } = unit;
  const config = await readConfig(ctx, tx);
  const { waits_enabled, submission_enabled, hold_minutes } = config;
  if (!waits_enabled || !submission_enabled || active_event?.type === 'single_claim')
    return new Set();
  const now = ctx.now();
  const clock = serverSaveClock(ctx);
  const { date: today, hour } = serverSaveNow(ctx);
  const over = (date: string): number => hoursOver(date, { today, hour, may_enter_past: false });
  const offers: Offer[] = [];
  const limitsOf = offerLimits(tx, active_event, today);
  const skippedEntries = new SkippedEntries(tx, waits, now);
  const pauses = await pausesAmong(ctx, tx, {
    character_keys: waits.map(({ character_key }) => character_key),
    rules: config,
  });
  const characters = await authorizedCharacters(
    tx,
    waits.map(({ character_name }) => character_name),
  );
  for (const wait of waits) {
    const character = characters.of(wait.character_name);
    // The ban ends its entries in the same write, unless offering was backing off.
    if (!character) continue;
    if (wait.status !== 'waiting' || facts.days.has(dayOf(wait))) continue;
    if (active_event && !isWithinEvent(wait.date, active_event)) continue;
    const day = { taken: facts.taken.get(waitlistOf(wait)) ?? [], over: over(wait.date) };
    if (!hoursToOffer(wait, day)) continue;
    const { may_claim, voucher, most, offer } = await limitsOf(wait);
    if (!may_claim && !wait.is_by_admin) continue;
    const run = hoursToOffer(wait, day, most);
    if (!run || skippedEntries.isPaused(wait, pauses.get(wait.character_key))) continue;
    if (await skippedEntries.isQuiet(wait)) continue;
    const start = instantOf(wait.date, run.hour_start, clock);
    const end = instantOf(wait.date, run.hour_end, clock);
    const held_until = new Date(
      now.getTime() + holdLasts(hold_minutes, now, { start, end }),
    ).toISOString();
    offers.push({
      wait,
      character,
      planned: plannedFor(wait, run, { voucher, event_id: active_event?.id ?? null }),
      held_until,
    });
    offer(run);
    facts.taken.set(waitlistOf(wait), [...day.taken, run]);
    facts.days.set(dayOf(wait), { claim_id: 0, is_held: true });
  }
  await skippedEntries.note(unit);
  if (offers.length > 0) await storeOffers(unit, offers);
  return new Set(offers.map(({ wait }) => wait.id));
}

function plannedFor(
  wait: StoredEntry,
  run: HourRange,
  { voucher, event_id }: { voucher: number; event_id: number | null },
): PlannedClaim {
  const length = run.hour_end - run.hour_start;
  return {
    event_id,
    date: wait.date,
    dates: [wait.date],
    character_name: wait.character_name,
    member_type: wait.member_type,
    parts: [{ part_number: 1, respawn_id: wait.respawn_id, ...run }],
    requested_start: run.hour_start,
    voucher_duration: voucher,
    custom_duration: length === voucher ? null : length,
    is_split_claim: 0,
    is_secondary_claim: 0,
    secondary_priority: 0,
  };
}

async function storeOffers(unit: Unit, offers: readonly Offer[]): Promise<void> {
  const claimWrite = await beginClaimWrite(unit, { role: 'server' });
  const held: { wait: StoredEntry; hold: DatedClaim; held_until: string }[] = [];
  for (const [held_until, together] of Map.groupBy(offers, (offer) => offer.held_until)) {
    const claims = together.map(({ planned, character }) => ({ planned, character }));
    for (const [nth, hold] of (await storeClaims(claimWrite, claims, { held_until })).entries()) {
      const wait = together[nth]?.wait;
      if (wait)
        held.push({
          wait: { ...wait, event_id: hold.claim.event_id, held_claim_id: hold.claim.id },
          hold,
          held_until,
        });
    }
  }
  await storeOfferedEntries(
    unit.tx,
    held.map(({ wait }) => wait.id),
  );
  const claims = held.map(({ hold }) => hold.claim);
  const wait_ids = new Map(held.map(({ hold, wait }) => [hold.claim.id, wait.id]));
  await claimsChanged(
    claimWrite,
    held.map(({ hold }) => ({ before: null, after: hold })),
    { cause: 'hold_offered', wait_ids },
  );
  const details = await describeEntries(
    unit.tx,
    held.map(({ wait }) => wait),
    claims,
  );
  const entries = details.flatMap(({ hold }, nth) =>
    hold ? [{ details: { ...hold, held_until: held[nth]?.held_until ?? '' } }] : [],
  );
  await logActivities(unit, claimWrite.actor, { action: 'hold_offered', entries });
}

/** The claim of a character on a date. */
interface Day {
  claim_id: number;
  is_held: boolean;
}

/** The facts that offers to some entries depend on. */
interface WaitlistFacts {
  /** Spots that take claims. */
  spots: ReadonlySet<number>;
  /** Occupied hours, by `waitlistOf`. */
  taken: Map<string, HourRange[]>;
  /** Occupied days, by `dayOf`. */
  days: Map<string, Day>;
}

const dayOf = ({ character_key, date }: { character_key: string; date: string }): string =>
  `${date} ${character_key}`;

/** Three statements, however many entries there are. */
async function readWaitlistFacts(tx: Tx, waits: readonly StoredEntry[]): Promise<WaitlistFacts> {
  const spots = [...new Set(waits.map(({ respawn_id }) => respawn_id))];
  const ids = waits.map(({ id }) => id);
  const enabled = await tx
    .selectFrom('respawns')
    .select('id')
    .where('id', 'in', spots)
    .where('is_enabled', '=', 1)
    .execute();
  // Only these (spot, date) pairs: all spots on all dates would be most of the board.
  const hours = await tx
    .selectFrom('occupied_hours')
    .select(['respawn_id', 'date', 'hour'])
    .where(({ eb, refTuple, selectFrom }) => {
      const waitlists = selectFrom('waits').select(['respawn_id', 'date']).where('id', 'in', ids);
      return eb(refTuple('respawn_id', 'date'), 'in', waitlists.$asTuple('respawn_id', 'date'));
    })
    .execute();
  const days = await tx
    .selectFrom('occupied_days')
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .select(['occupied_days.character_key', 'occupied_days.date', 'claim_id', 'held_until'])
    .where(({ eb, refTuple, selectFrom }) => {
      const theirs = selectFrom('waits')
        .select(['waits.date', 'waits.character_key'])
        .where('waits.id', 'in', ids);
      return eb(
        refTuple('occupied_days.date', 'occupied_days.character_key'),
        'in',
        theirs.$asTuple('date', 'character_key'),
      );
    })
    .execute();
  const taken = new Map<string, HourRange[]>();
  for (const { hour, ...row } of hours)
    taken.set(waitlistOf(row), [
      ...(taken.get(waitlistOf(row)) ?? []),
      { hour_start: hour, hour_end: hour + 1 },
    ]);
  return {
    spots: new Set(enabled.map(({ id }) => id)),
    taken,
    days: new Map(
      days.map(({ claim_id, held_until, ...row }) => [
        dayOf(row),
        { claim_id, is_held: held_until !== null },
      ]),
    ),
  };
}

/** In hours, on the entry's date. */
interface OfferLimits {
  /** R4.3, R4.4 */
  may_claim: boolean;
  voucher: number;
  /** The voucher, or what is left of the budget. */
  most: number;
  /** Counts an offer made by this write. */
  offer: (run: HourRange) => void;
}

/** Reads each member type and each character's used hours once. Holds count, or a second offer could not be accepted. */
function offerLimits(
  tx: Tx,
  event: EventFacts | null,
  today: string,
): (wait: StoredEntry) => Promise<OfferLimits> {
  const types = new Map<string, MemberType>();
  const had = new Map<string, { used: number } | null>();
  return async ({ member_type, character_key }) => {
    const type = types.get(member_type) ?? (await memberTypeOrFallback(tx, member_type));
    types.set(member_type, type);
    const inEvent =
      had.get(character_key) ?? (await hoursUsedForOffer(tx, event, { character_key, type }));
    had.set(character_key, inEvent);
    const voucher = type.voucher_duration_hours;
    const offer = (run: HourRange): void => {
      if (inEvent) inEvent.used += lengthOf([run]);
    };
    const may_claim = type.can_submit === 1 && type.earliest_submission_date <= today;
    return { may_claim, voucher, most: Math.min(voucher, mostWithinBudget(type, inEvent)), offer };
  };
}
