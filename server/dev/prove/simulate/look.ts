import { RESET_SPREAD_MS } from '../../../../client/live/sync-board.ts';
import type { Board } from '../../../../shared/live.ts';
import { Broken } from './broken.ts';
import { boardDifference, freshBoard, shownOtherwise } from './compare-boards.ts';
import { closesOf, nextEnd, OPENS_MS } from './expiry.ts';
import { type Held, type Model, mayEnter, type Part } from './model.ts';
import { beginOf, MINUTE_MS, momentAt } from './moment.ts';
import { DAY_BEGINS_WITHIN, type Place } from './place.ts';
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
export async function lookAround(place: Place): Promise<void> {
  await place.wait(DAY_BEGINS_WITHIN);
  const isAsking = (watcher: Watching): boolean =>
    !watcher.isHeld() && watcher.line()?.isOver === false && watcher.line()?.isAsking === true;
  await reloads(place);
  for (let left = SNAPSHOT_WITHIN; left > 0 && place.watchers.some(isAsking); left -= 1)
    await place.wait(1);
  await compareAll(place, false);
}

/** At the end all clients come back, and must see the same. @throws Broken */
export async function lookAtTheEnd(place: Place): Promise<void> {
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
  await compareAll(place, true);
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

async function compareAll(place: Place, includesAll: boolean): Promise<void> {
  place.catchUp();
  const { server, model, watchers, now } = place;
  if (nextEnd(model) <= now - LOOKS_WITHIN_MS) throw new Broken('what is over has not ended');

  const fresh = {
    members: await freshBoard(server, 'members'),
    admins: await freshBoard(server, 'admins'),
  };
  const difference = shownOtherwise(fresh.admins, model, boardDay(place));
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
  compareOwn(place);
}

/**
 * The screens of the page's member list each of their claims from today on, of any event or of none, and offer to confirm a part exactly
 * while the server takes it. @throws Broken
 */
function compareOwn({ page, model, now, server: { database } }: Place): void {
  if (page.who === null || !page.board() || model.wentBack) return;
  const { today } = momentAt(now);
  const listed = page.own(new Date(now));
  const mine = [...model.claims].filter(
    ([, { who, date, until }]) =>
      who === page.who && until === null && date !== null && date >= today,
  );
  for (const [id, claim] of mine) {
    for (const [at, part] of claim.parts.entries()) {
      const row = listed.find((each) => each.claim === id && (each.part ?? 1) === at + 1);
      if (!row) throw new Broken(`${page.who} does not see claim ${id} of event ${claim.event}`);
      const mayConfirm = isToConfirm(model, claim, part, now);
      if (row.canConfirm !== mayConfirm)
        throw new Broken(
          `claim ${id}: the screen ${mayConfirm ? 'lacks' : 'has'} a button to confirm it, which the server ${mayConfirm ? 'takes' : 'refuses'}`,
        );
    }
  }
  const [config] = database.rows('select release_enabled from config');
  if (!config?.release_enabled && listed.some(({ canRelease }) => canRelease))
    throw new Broken('a screen offers to release what cannot be');
}

function isToConfirm(model: Model, { date }: Held, part: Part, now: number): boolean {
  if (!model.rules.confirm || !part.awaited || date === null) return false;
  return now >= beginOf(date, part.start) - OPENS_MS && now < closesOf(model, date, part);
}
