import { hoursOver } from '../../../shared/rules/claim-time.ts';
import { isWithinEvent } from '../../../shared/rules/event-period.ts';
import { instantOf } from '../../../shared/rules/server-save.ts';
import { positionsOf } from '../../../shared/rules/waits.ts';
import type { EventFacts } from '../../../shared/schemas/event.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Uptime } from '../../db/clock/heartbeats.ts';
import { serverSaveClock, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import type { Tx } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { type GuildNow, readGuildNow } from '../claims/board-view.ts';
import { affectedWaitlists, lineOf, type TouchedLines } from './affected-waitlists.ts';
import { endWaits } from './end.ts';
import { dayOf, type LineFacts, readLineFacts } from './facts.ts';
import { makeOffers } from './offer.ts';
import { placeAnew, type StoredWait, waitsInLines } from './stored.ts';

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
