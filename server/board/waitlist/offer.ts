import { hoursOver } from '../../../shared/rules/claim-time.ts';
import { isWithinEvent } from '../../../shared/rules/event-period.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { instantOf } from '../../../shared/rules/server-save.ts';
import type { PlannedClaim } from '../../../shared/rules/submission.ts';
import { holdLasts, offerOf } from '../../../shared/rules/waits.ts';
import { logActivities } from '../../auth/activity-log.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import { serverSaveClock, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import type { Tx } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';
import type { GuildNow } from '../claims/board-view.ts';
import type { DatedClaim } from '../claims/claim-records.ts';
import { beginClaimWrite, claimsChanged } from '../claims/claims-changed.ts';
import { storeClaims } from '../claims/store-claims.ts';
import { readConfig } from '../records/config.ts';
import { lineOf } from './affected-waitlists.ts';
import { budgets } from './budgets.ts';
import { dayOf, type LineFacts } from './facts.ts';
import { PassedOver } from './quiet.ts';
import { noteOffers, type StoredWait } from './stored.ts';
import { toldOf } from './told.ts';

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
