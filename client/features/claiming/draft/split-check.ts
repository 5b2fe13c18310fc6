import { assertHoursExist, assertHoursInTime, type ClaimTime } from '../../../../shared/rules/claim-time.ts';
import { timeConflict } from '../../../../shared/rules/conflicts.ts';
import { rangesOverlap } from '../../../../shared/rules/hours.ts';
import { assertSplitFits, type PartTimes, partRange } from '../../../../shared/rules/split.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { type RuleRefusal, refusalOf, respawnRefusal } from './refusal-of.ts';
import type { Taken } from './taken.ts';

/** A part while it is being put together: its respawn may still be missing. */
export interface SplitDraft extends PartTimes {
  respawn_id: number | null;
}

export interface SplitProblem {
  /** null: what is wrong is between the two. */
  part_number: number | null;
  refusal: RuleRefusal;
  /** Who stands in the way. */
  taken: Taken | null;
}

export interface SplitFacts {
  voucher: number;
  isWholeEvent: boolean;
  /** The last one that the row covers. */
  date: string;
  time: ClaimTime;
  /** What others hold of a respawn on the row's dates. */
  takenAt: (respawn_id: number | null) => readonly Taken[];
  respawns: { get: (id: number) => Respawn | undefined };
}

/** Everything the server would refuse the two parts for; a respawn that is missing yet is no problem. */
export function splitProblems(parts: readonly SplitDraft[], facts: SplitFacts): SplitProblem[] {
  const unfit = refusalOf(() => assertSplitFits(parts, facts.voucher));
  const together: SplitProblem[] = unfit ? [{ part_number: numberIn(unfit), refusal: unfit, taken: null }] : [];
  return [...together, ...parts.flatMap((part) => placeProblem(part, facts) ?? [])];
}

const numberIn = ({ params }: RuleRefusal): number | null => (typeof params.part === 'number' ? params.part : null);

function placeProblem(part: SplitDraft, { takenAt, isWholeEvent, respawns, date, time }: SplitFacts): SplitProblem | null {
  const { respawn_id, part_number } = part;
  const untimely = refusalOf(() => {
    assertHoursInTime(partRange(part), date, time, part_number);
    assertHoursExist(partRange(part), isWholeEvent ? null : date, time);
  });
  if (untimely) return { part_number, refusal: untimely, taken: null };
  if (respawn_id === null) return null;
  const refusal = respawnRefusal(respawns.get(respawn_id));
  if (refusal) return { part_number, refusal, taken: null };
  const wanted = partRange(part);
  const taken = takenAt(respawn_id).find((range) => rangesOverlap(range, wanted));
  if (!taken) return null;
  const { code, params } = timeConflict({ date: isWholeEvent ? null : taken.date, is_split_claim: 1 }, part, taken.date);
  return { part_number, refusal: { code, params }, taken };
}
