import { getAdminClaims } from '../../../../client/api/admin-calls.ts';
import {
  type ClaimIndex,
  claimGroups,
} from '../../../../client/features/admin/claims/claim-groups.ts';
import {
  claimantFacts,
  limitsOf,
  takenOnBoard,
} from '../../../../client/features/claiming/draft/check.ts';
import { judge } from '../../../../client/features/claiming/draft/judge.ts';
import {
  type OwnAction,
  ownActions,
} from '../../../../client/features/claiming/own/own-actions.ts';
import {
  checkEntry,
  entryFacts,
} from '../../../../client/features/claiming/waitlist/entry-check.ts';
import { hasWaitlist } from '../../../../client/features/claiming/waitlist/waitlist.ts';
import { groupBy } from '../../../../client/lib/words/order.ts';
import {
  activeEventIn,
  type BoardState,
  claimsByRespawn,
  useBoard,
} from '../../../../client/state/board-store.ts';
import type { Claimant, Spot } from '../../../../client/state/claim-draft.ts';
import { useServerSaveClock } from '../../../../client/state/clock.ts';
import { missedIn } from '../../../../client/state/missed-claims.ts';
import { claimsOfCharacters, type OwnClaimRow } from '../../../../client/state/own-claims.ts';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import {
  type ClaimTime,
  DEFAULT_HORIZON_DAYS,
  hoursOver,
} from '../../../../shared/rules/claim-time.ts';
import { isHoldOver } from '../../../../shared/rules/holds.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { addDays, serverSaveTime } from '../../../../shared/rules/server-save.ts';
import { firstFit, whatIsLeft } from '../../../../shared/rules/stretch.ts';
import type { ClaimRow } from '../../../../shared/schemas/claim.ts';
import type { Command } from './command.ts';
import { CHARACTERS } from './template.ts';
import { isoWeekday } from './weekly.ts';

/* The buttons of the client's screens, by its own code, as the commands that pressing them gives. */

/** Members press hours of so many dates from today on: on more of them they would seldom meet. */
const DATES = 3;
const NO_FILTER = { search: '', memberType: '', day: null };

/**
 * The page's board. The client's own indexes leave out expired holds by the clock of this machine,
 * not by the world's.
 */
function boardAt(now: Date): BoardState {
  const board = useBoard.getState();
  const waits = [...board.byKind.wait.values()].filter((wait) => !isHoldOver(wait, now));
  return {
    ...board,
    claimsByRespawn: claimsByRespawn(board.byKind.claim.values(), now),
    waitsByRespawn: groupBy(waits, ({ respawn_id }) => respawn_id),
  };
}

function timeAt(board: BoardState, now: Date): ClaimTime {
  const clock = useServerSaveClock.getState();
  const { date: today, hour } = serverSaveTime(now, clock);
  const horizon_days = board.byKind.config.get(CONFIG_ID)?.horizon_days ?? DEFAULT_HORIZON_DAYS;
  return { today, hour, horizon_days, may_enter_past: false, clock };
}

export interface OwnRow {
  claim: OwnClaimRow;
  actions: ReadonlySet<OwnAction['id']>;
}

/** The claims of a member that *My claims* lists, and what can be done about each. */
export function ownRows(who: string, now: Date): OwnRow[] {
  const board = boardAt(now);
  const facts = {
    settings: board.byKind.config.get(CONFIG_ID),
    event: activeEventIn(board),
    transfers: [...board.byKind.transfer.values()],
    isEnabled: (id: number) => board.byKind.respawn.get(id)?.is_enabled === 1,
    isOffline: false,
    now,
    clock: useServerSaveClock.getState(),
  };
  return claimsOfCharacters([nameKey(who)], board).map((claim) => ({
    claim,
    actions: new Set(ownActions(claim, facts).all.map(({ id }) => id)),
  }));
}

/** @param nth of several characters it chooses one to offer a claim to */
export function memberOffers(who: string, now: Date, nth: number): Command[] {
  const board = boardAt(now);
  const time = timeAt(board, now);
  // The client's own check goes by the clock of this machine.
  const isPaused = missedIn(board, who, now)?.pause != null;
  return [
    ...ownClaimOffers(who, now, nth),
    ...answers(board, who, time),
    ...(isPaused ? [] : [...freeHours(board, who, time), ...waitlists(board, who, time)]),
  ];
}

function* ownClaimOffers(who: string, now: Date, nth: number): Generator<Command> {
  const others = CHARACTERS.filter((other) => other !== who);
  const to = others[nth % others.length] ?? CHARACTERS[0];
  for (const { claim, actions } of ownRows(who, now)) {
    const { id, respawn_id, date, hour_start, hour_end, split_part_number: part } = claim;
    if (actions.has('confirm')) yield { do: 'confirm', claim: id, part, who };
    if (actions.has('release')) yield { do: 'give back', claim: id, part, who };
    if (actions.has('handover')) yield { do: 'offer claim', claim: id, who, to };
    if (actions.has('weekly') && date !== null) {
      const days = [isoWeekday(date)];
      const hours = { start: hour_start, end: hour_end };
      yield { do: 'make weekly', who, spot: respawn_id, days, ...hours, joins: false };
    }
  }
}

/** Answers to offers, and the buttons of waitlist entries, transfers and weekly claims. */
function* answers(
  { byKind, waitsByRespawn }: BoardState,
  who: string,
  time: ClaimTime,
): Generator<Command> {
  const isMine = (name: string): boolean => nameKey(name) === nameKey(who);
  for (const { id: wait, character_name, status, date, hour_end } of [
    ...waitsByRespawn.values(),
  ].flat()) {
    // The server ends an entry within seconds after its hours.
    if (!isMine(character_name) || hoursOver(date, time) >= hour_end) continue;
    if (status === 'offered') {
      yield { do: 'accept', wait, who };
      yield { do: 'decline', wait, who };
    } else yield { do: 'leave', wait, who };
  }
  for (const { id: offer, from, to } of byKind.transfer.values()) {
    if (isMine(to)) {
      yield { do: 'take offer', offer, who };
      yield { do: 'refuse offer', offer, who };
    } else if (isMine(from)) yield { do: 'withdraw offer', offer, who };
  }
  for (const { id: weekly, is_paused, ended_at } of byKind.standing_claim.values()) {
    if (ended_at !== null) continue;
    yield { do: 'pause weekly', weekly, who, paused: !is_paused };
    yield { do: 'end weekly', weekly, who, release: true };
  }
}

const claimantOf = (who: string): Claimant => ({
  character_name: who,
  member_type: '',
  access_key: '',
});

function placesOn(board: BoardState, { today }: ClaimTime): Spot[] {
  const dates = Array.from({ length: DATES }, (_, days) => addDays(today, days));
  return [...board.byKind.respawn.values()].flatMap(({ id }) =>
    dates.map((date) => ({ respawn_id: id, date })),
  );
}

/** A press on free hours claims as many of them as fit. */
function* freeHours(board: BoardState, who: string, time: ClaimTime): Generator<Command> {
  const isSingle = activeEventIn(board)?.type === 'single_claim';
  for (const place of placesOn(board, time)) {
    const claimant = claimantOf(who);
    const facts = claimantFacts(board, place.date, claimant, time);
    const range = firstFit(limitsOf(facts, takenOnBoard(facts, place.respawn_id)));
    if (!range || judge({ ...place, claimant, range }, { board, time }).refusal) continue;
    const claim = {
      spot: place.respawn_id,
      date: isSingle ? null : place.date,
      start: range.hour_start,
      hours: range.hour_end - range.hour_start,
      second: null,
      waiting: null,
    };
    yield { do: 'submit', who, asAdmin: false, once: null, claims: [claim] };
  }
}

/** A press on hours that another character claimed joins their waitlist. */
function* waitlists(board: BoardState, who: string, time: ClaimTime): Generator<Command> {
  for (const place of placesOn(board, time)) {
    const { respawn_id: spot, date } = place;
    const over = date === time.today ? time.hour : 0;
    for (const claim of board.claimsByRespawn.get(spot) ?? []) {
      const isOwn = nameKey(claim.character_name) === nameKey(who);
      if (claim.date !== date || !hasWaitlist(claim, over, isOwn)) continue;
      const facts = entryFacts(board, place, claimantOf(who), time);
      const range = whatIsLeft(claim, facts.limits);
      if (!range || checkEntry(facts, place, range, 1) !== null) continue;
      const hours = { start: range.hour_start, end: range.hour_end };
      yield { do: 'queue', who, asAdmin: false, spot, date, ...hours, least: 1 };
    }
  }
}

/** The claims outside the active event that the Claims tab reads. */
export async function readOutsideClaims(): Promise<readonly ClaimRow[]> {
  const event = activeEventIn(useBoard.getState());
  return event ? (await getAdminClaims({ except_event: event.id })).records : [];
}

/** The claims that the admin's Claims tab lists from today on. */
export function listedClaims(outside: readonly ClaimRow[], now: Date): ReadonlySet<number> {
  const board = boardAt(now);
  const elsewhere: ClaimIndex = groupBy(
    outside.filter(({ id }) => board.byKind.claim.get(id) === undefined),
    ({ respawn_id }) => respawn_id,
  );
  const groups = claimGroups(
    [board.claimsByRespawn, elsewhere],
    board.byKind.respawn,
    NO_FILTER,
    timeAt(board, now).today,
  );
  return new Set(
    groups.flatMap(({ days }) => days.flatMap(({ claims }) => claims.map(({ id }) => id))),
  );
}

/** What the log can restore, of the kinds that the model knows. */
const RESTORABLE: ReadonlySet<string> = new Set([
  'claim_deleted',
  'claims_cleared',
  'event_deleted',
]);

export interface Undoable {
  entry: number;
  of: string;
  nth: number;
}

/** The buttons of the Claims tab's rows, and those of the log. */
export function adminOffers(
  claims: ReadonlySet<number>,
  undoable: readonly Undoable[],
  nth: number,
): Command[] {
  const { byKind } = useBoard.getState();
  const spots = [...byKind.respawn.values()].map(({ id }) => id);
  const start = nth % 20;
  const possible = new Set(
    [...byKind.activity.values()].flatMap(({ id, action, undo }) =>
      undo === 'possible' && RESTORABLE.has(action) ? [id] : [],
    ),
  );
  return [
    ...[...claims].flatMap((claim): Command[] => [
      { do: 'delete', claim },
      { do: 'edit', claim, start, end: start + 2 },
      { do: 'move claim', claim, spot: spots[nth % Math.max(spots.length, 1)] ?? 1 },
      { do: 'give claim', claim, to: CHARACTERS[nth % CHARACTERS.length] ?? CHARACTERS[0] },
    ]),
    ...undoable
      .filter(({ entry }) => possible.has(entry))
      .map((entry): Command => ({ do: 'undo', ...entry })),
  ];
}
