import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { type ClaimTime, hoursOver } from '../../../../shared/rules/claim-time.ts';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { StretchLimits } from '../../../../shared/rules/stretch.ts';
import { planSubmission } from '../../../../shared/rules/submission.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import type { MemberType } from '../../../../shared/schemas/member-type.ts';
import type { Occupancy } from '../../../../shared/schemas/occupancy.ts';
import { activeEventIn, type BoardState } from '../../../state/board-store.ts';
import { claimTimeNow } from '../../../state/permissions.ts';
import { coveredPeriod, type Period } from '../draft/claim-dates.ts';
import { type RuleRefusal, refusalOf, respawnRefusal } from '../draft/refusal-of.ts';
import { emptyRow } from '../draft/row.ts';
import { type Claimant, submissionBody } from '../draft/submission-body.ts';
import { boardClaimsIn, type Taken, takenElsewhere, takenIn } from '../draft/taken.ts';

/** A spot on a server-save date. */
export interface Spot {
  respawn_id: number;
  date: string;
}

/** What the board says about a claimant: how long they may claim, and all that the server would judge a claim by. */
export interface Standing {
  board: BoardState;
  event: ActiveEvent | null;
  claimant: Claimant;
  time: ClaimTime;
  /** What the claim covers: the date, or all of a single_claim event. */
  period: Period;
  voucher: number;
}

/** As the form goes by it, too. */
export function standingOf(board: BoardState, date: string, claimant: Claimant, time: ClaimTime): Standing {
  const { member_type, config } = board.byKind;
  const event = activeEventIn(board);
  const voucher = member_type.get(claimant.member_type)?.voucher_duration_hours ?? config.get(CONFIG_ID)?.voucher_duration_hours ?? 1;
  return { board, event, claimant, time, period: coveredPeriod(date, event), voucher };
}

/** The same for a press, at its moment. */
export const standingNow = (board: BoardState, date: string, claimant: Claimant): Standing =>
  standingOf(board, date, claimant, claimTimeNow(claimant.access_key === null));

/** The hours of a spot that are occupied, whichever event their claims belong to. */
export const takenOnBoard = ({ board, period }: Standing, respawn_id: number): Taken[] => [
  ...takenIn(period, boardClaimsIn(period, board.claimsByRespawn.get(respawn_id) ?? [], board.byKind.event)),
  ...takenElsewhere(period, board.occupiedByRespawn.get(respawn_id)),
];

/** A claim of a whole event is over when the event's last date is. */
export const limitsOf = ({ voucher, period, time }: Standing, taken: readonly HourRange[]): StretchLimits => ({
  voucher,
  taken,
  over: hoursOver(period.last, time),
});

/** What would be posted for some hours. */
export function bodyOf(
  standing: Standing,
  { respawn_id, date }: Spot,
  { hour_start, hour_end }: HourRange,
): ReturnType<typeof submissionBody> {
  const { voucher, claimant, event } = standing;
  const length = hour_end - hour_start;
  const row = { ...emptyRow(date), hour_start, custom_duration: length === voucher ? null : length };
  return submissionBody([row], { claimant, respawn_id, voucher, event });
}

/**
 * What the server would refuse some hours for, by its own rules: who claims, when, and how long. Whose the hours are is judged
 * where they are chosen. An admin who has named nobody yet is not refused for that: it is asked.
 */
export function refusalFor(standing: Standing, spot: Spot, hours: HourRange): RuleRefusal | null {
  const { board, event, claimant, time } = standing;
  const { respawn, member_type, config } = board.byKind;
  const settings = config.get(CONFIG_ID);
  const { today, hour, horizon_days, clock } = time;
  const type = member_type.get(claimant.member_type);
  const { claims } = bodyOf(standing, spot, hours);
  return (
    respawnRefusal(respawn.get(spot.respawn_id)) ??
    refusalOf(() =>
      planSubmission(claims, {
        submitter: claimant.access_key === null ? { role: 'admin' } : { role: 'member', character_name: claimant.character_name },
        member_type: type ?? unknownType(standing),
        submission_enabled: settings?.submission_enabled ?? 1,
        active_event: event,
        today,
        hour,
        horizon_days,
        clock,
      }),
    )
  );
}

/** R4.9: one that no longer exists may submit. */
const unknownType = ({ claimant, voucher }: Standing): MemberType => ({
  member_type: claimant.member_type,
  voucher_duration_hours: voucher,
  can_submit: 1,
  earliest_submission_date: '',
  allow_secondary_claims: 0,
  background_color: '',
  is_system: 0,
  guild_ranks: [],
  max_hours_per_day: null,
  max_hours_per_event: null,
});

/** R4.6: whether a character has a claim on these dates already, as far as the board knows. */
export function isBusy({ board, period, claimant }: Standing): boolean {
  const name = nameKey(claimant.character_name);
  if (!name) return false;
  const own = [...board.byKind.claim.values()].filter((claim) => !claim.is_secondary_claim && nameKey(claim.character_name) === name);
  if (own.some((claim) => claim.date === null || (period.first <= claim.date && claim.date <= period.last))) return true;
  return isBusyElsewhere(board.byKind.occupancy.values(), name, period);
}

type Dates = Pick<Period, 'first' | 'last'>;

/** R4.6: whether a character, given as a name's key, has a claim of another event on these dates. */
export const isBusyElsewhere = (occupancy: Iterable<Occupancy>, name: string, dates: Dates): boolean =>
  [...occupancy].some((one) => isOccupiedBy(one, name, dates));

/** Whether this claim of another event is the character's, and on one of these dates. @param dates null: any date */
export const isOccupiedBy = ({ character_name, first_date, last_date }: Occupancy, name: string, dates: Dates | null): boolean =>
  nameKey(character_name) === name && (dates === null || (first_date <= dates.last && last_date >= dates.first));
