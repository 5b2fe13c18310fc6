import { RESET_SPREAD_MS } from '../../../../client/live/sync-board.ts';
import type { Board } from '../../../../shared/live.ts';
import { Broken } from './broken.ts';
import { boardDifference, freshBoard, shownOtherwise } from './compare-boards.ts';
import { compareOffers } from './compare-offers.ts';
import { nextEnd } from './expiry.ts';
import { mayEnter } from './model.ts';
import { MINUTE_MS, momentAt } from './moment.ts';
import { DAY_BEGINS_WITHIN, type Place } from './place.ts';
import type { Presses } from './presses.ts';
import { brokenClock } from './stored.ts';
import type { Watching } from './watchers.ts';

/** A connection that was sent many snapshots waits for the next one, so many seconds at most. */
const SNAPSHOT_WITHIN = 61;
/** A page reconnects, and has the board, within this time, in seconds. */
const PAGE_IS_BACK_WITHIN = 70;

/** The server checks this often for expired items. */
const LOOKS_WITHIN_MS = 6_000;

const roomOf = ({ who }: Watching) => (who === null ? ('admins' as const) : ('members' as const));

/** The invariants of an idle world. @throws Broken */
export function assertSound(place: Place): void {
  const { database, failures, io } = place.server;
  const broken = brokenClock(database) ?? place.network.announcedTooEarly;
  if (broken) throw new Broken(broken);
  if (failures.length > 0) throw new Broken(`the server logged a failure: ${failures[0]}`);
  if (place.isDeceived) return;
  assertSame(place);
  for (const { data } of io.sockets.sockets.values()) {
    const { caller } = data;
    if (
      caller.role === 'member' &&
      !mayEnter(place.model, caller.character_name, caller.access_key_id)
    ) {
      throw new Broken(`${caller.character_name} is connected with a key that does not hold`);
    }
  }
}

/** At once, not when the server looks the next time, all boards are at its clock; and what one shows at a clock, all show. */
function assertSame({ watchers, clock }: Place): void {
  const first: { admins: Board | null; members: Board | null } = { admins: null, members: null };
  const now = clock();
  for (const watcher of watchers) {
    const held = watcher.board();
    if (!held) continue;
    if (held.clock !== now)
      throw new Broken(`the board of ${watcher.name}: clock ${held.clock} instead of ${now}`);
    const role = roomOf(watcher);
    const other = first[role];
    first[role] ??= held;
    // An older page may have older entries of the log.
    const isLonger = other && held.byKind.activity.size >= other.byKind.activity.size;
    const wrong = other && boardDifference(isLonger ? held : other, isLonger ? other : held, role);
    if (wrong)
      throw new Broken(`the board of ${watcher.name} is not that of the other ${role}: ${wrong}`);
  }
}

/** Compares every board with the server's, and the server's with the model's, after a while. @throws Broken */
export async function lookAround(place: Place, presses: Presses): Promise<void> {
  await place.wait(DAY_BEGINS_WITHIN);
  const isAsking = (watcher: Watching): boolean =>
    !watcher.isHeld() && watcher.line()?.isOver === false && watcher.line()?.isAsking === true;
  await reloads(place);
  for (let left = SNAPSHOT_WITHIN; left > 0 && place.watchers.some(isAsking); left -= 1)
    await place.wait(1);
  await compareAll(place, presses, false);
}

/** At the end all clients come back, and must see the same. @throws Broken */
export async function lookAtTheEnd(place: Place, presses: Presses): Promise<void> {
  const isBack = ({ board, who, refusal }: Watching): boolean =>
    board() !== null || (refusal() !== null && who !== null && !mayEnter(place.model, who));
  for (const watcher of place.watchers) watcher.hold(false);
  await place.wait(DAY_BEGINS_WITHIN);
  for (const watcher of place.watchers) watcher.connect();
  await place.quiet();
  await reloads(place);
  for (let left = PAGE_IS_BACK_WITHIN; left > 0 && !place.watchers.every(isBack); left -= 1)
    await place.wait(1);
  assertSound(place);
  await compareAll(place, presses, true);
}

/** Clocks may differ by so much: the board's day, which only moves forward, may be the one that starts within it. */
const DAY_AHEAD_MS = 5 * MINUTE_MS;

/** @throws Broken if the board's day is neither the current nor the next one */
function boardDay({ server, now }: Place): string {
  const day = String(server.database.rows('select board_date from clock')[0]?.board_date);
  const may = [momentAt(now).today, momentAt(now + DAY_AHEAD_MS).today];
  if (!may.includes(day)) throw new Broken(`the board stands on ${day} instead of ${may[0]}`);
  return day;
}

/** After a `reset`, pages reload the board within this time. */
const reloads = (place: Place): Promise<void> => place.wait(RESET_SPREAD_MS / 1_000);

async function compareAll(place: Place, presses: Presses, includesAll: boolean): Promise<void> {
  place.catchUp();
  const { server, model, watchers, now } = place;
  if (nextEnd(model) <= now - LOOKS_WITHIN_MS) throw new Broken('what is over has not ended');

  const fresh = {
    members: await freshBoard(server, 'members'),
    admins: await freshBoard(server, 'admins'),
  };
  const board_date = boardDay(place);
  const difference = shownOtherwise(fresh.admins, model, board_date);
  if (difference) throw new Broken(difference);
  for (const watcher of watchers) {
    const { name, who, board, refusal } = watcher;
    const role = roomOf(watcher);
    const held = board();
    if (held) {
      const wrong = boardDifference(held, fresh[role], role);
      if (wrong) throw new Broken(`the board of ${name}: ${wrong}`);
    } else if (includesAll && (who === null || mayEnter(model, who))) {
      throw new Broken(`${name} does not come back: ${refusal() ?? 'no answer'}`);
    }
  }
  await compareOffers(place, presses, board_date);
}
