import { useShallow } from 'zustand/react/shallow';
import { CONFIG_ID } from '../../shared/kinds.ts';
import { hoursInEvent } from '../../shared/rules/budget.ts';
import type { ClaimTime } from '../../shared/rules/claim-time.ts';
import { assertClaimable } from '../../shared/rules/claimable.ts';
import type { ActiveEvent } from '../../shared/schemas/event.ts';
import type { MemberType } from '../../shared/schemas/member-type.ts';
import { type RuleRefusal, refusalOf } from '../lib/refusal.ts';
import { activeEventIn, type BoardState, useBoard } from './board-store.ts';
import { type Claimant, claimantOf, UNNAMED } from './claim-draft.ts';
import { claimTimeNow } from './claim-time.ts';
import { serverNow, useServerSaveClock } from './clock.ts';
import { pauseIn } from './missed-claims.ts';
import { mayClaimForOthers } from './permissions.ts';
import { useSession } from './session-store.ts';

/** R4.9: a type that was deleted may submit, without a budget. */
const FORMER_TYPE: Pick<
  MemberType,
  'can_submit' | 'earliest_submission_date' | 'max_hours_per_day' | 'max_hours_per_event'
> = {
  can_submit: 1,
  earliest_submission_date: '',
  max_hours_per_day: null,
  max_hours_per_event: null,
};

interface WhenFacts {
  date: string | null;
  time: ClaimTime;
}

/** R4.15: why a character can claim no hour of any spot; null: it can claim some, as far as rules without hours say. */
export function claimableRefusal(
  board: BoardState,
  { character_name, member_type, access_key }: Claimant,
  { date, time }: WhenFacts,
): RuleRefusal | null {
  const { byKind } = board;
  const event = activeEventIn(board);
  const type = byKind.member_type.get(member_type) ?? FORMER_TYPE;
  const refusal = refusalOf(() =>
    assertClaimable({
      submitter: access_key === null ? { role: 'admin' } : { role: 'member', character_name },
      submission_enabled: byKind.config.get(CONFIG_ID)?.submission_enabled ?? 1,
      member_type: type,
      pause: access_key === null ? null : pauseIn(board, character_name),
      budget: type,
      event,
      used:
        event && type.max_hours_per_event !== null
          ? usedHours(byKind.claim, character_name, event)
          : 0,
      date,
      time,
    }),
  );
  return refusal && { ...refusal, params: { ...refusal.params, type: member_type } };
}

type ClaimTable = BoardState['byKind']['claim'];

/** The hours of an event that a character has, by the claims of the board; counted once for each change of them. */
export function usedHours(claims: ClaimTable, name: string, event: ActiveEvent): number {
  const key = [name, event.id, event.start_time, event.end_time].join();
  const known = counted.get(claims) ?? new Map<string, number>();
  const hours = known.get(key) ?? hoursInEvent(claims.values(), name, event);
  counted.set(claims, known.set(key, hours));
  return hours;
}

const counted = new WeakMap<ClaimTable, Map<string, number>>();

const MINUTE_MS = 60_000;

/** The answers for one moment, by date: each card asks for the same. */
let answers: { facts: readonly unknown[]; byDate: Map<string | null, RuleRefusal | null> } = {
  facts: [],
  byDate: new Map(),
};

/** R4.15 for the viewer: of several characters of this browser, the first one's refusal if none can claim. */
function viewerRefusal(board: BoardState, date: string | null): RuleRefusal | null {
  const { current, profiles, admin } = useSession.getState();
  const minute = Math.floor(serverNow().getTime() / MINUTE_MS);
  const facts = [
    board.byKind,
    board.missed,
    current,
    profiles,
    admin,
    useServerSaveClock.getState(),
    minute,
  ];
  const before = answers;
  if (!facts.every((fact, i) => fact === before.facts[i])) answers = { facts, byDate: new Map() };
  const known = answers.byDate.get(date);
  if (known !== undefined) return known;
  const isAdmin = mayClaimForOthers(useSession.getState());
  const time = claimTimeNow(isAdmin);
  const others = profiles.filter((one) => one.accessKey !== current?.accessKey);
  const claimants: Claimant[] = current
    ? [current, ...others].map(claimantOf)
    : [{ ...UNNAMED, access_key: isAdmin ? null : '' }];
  const refusals = claimants.map((claimant) => claimableRefusal(board, claimant, { date, time }));
  const found = refusals.every((refusal) => refusal !== null) ? (refusals[0] ?? null) : null;
  // The same object while it says the same: cards compare it.
  const last = before.byDate.get(date) ?? null;
  const refusal = JSON.stringify(last) === JSON.stringify(found) ? last : found;
  answers.byDate.set(date, refusal);
  return refusal;
}

/** R4.15: why the viewer can claim nothing on a date; null: they can. @param date null: any date */
export function useClaimRefusal(date: string | null): RuleRefusal | null {
  // Another character or role.
  useSession(useShallow(({ current, profiles, admin }) => [current, profiles, admin]));
  return useBoard((board) => viewerRefusal(board, date));
}
