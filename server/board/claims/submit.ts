import { type RequestedHours, requestedHours } from '../../../shared/rules/budget.ts';
import {
  assertCharacterIsFree,
  assertHoursAreFree,
  type TakenRange,
} from '../../../shared/rules/conflicts.ts';
import {
  type PlannedClaim,
  planSubmission,
  type SubmissionFacts,
} from '../../../shared/rules/submission.ts';
import type { Claim, ClaimRow, Submission } from '../../../shared/schemas/claim.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../shared/schemas/member-type.ts';
import { actorOf } from '../../auth/authenticate.ts';
import { serverSaveClock, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import type { Reading, Tx } from '../../db/database.ts';
import { type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin, Caller, Member } from '../../http/caller.ts';
import { pauseOf } from '../pauses.ts';
import { memberTypeOrFallback } from '../records/members.ts';
import { assertTakesClaims } from '../records/respawns.ts';
import type { GuildNow } from './board-view.ts';
import {
  assertHasNoHold,
  assertInBudget,
  heldDays,
  holdRefusal,
  type PartFacts,
  readPartFacts,
} from './claim-facts.ts';
import { answeredRows, beginClaimWrite, type ClaimWrite, claimsChanged } from './claims-changed.ts';
import { authorizeClaims, storeClaims } from './store-claims.ts';

/** Steps of the caller inside the transaction of a submission. */
export interface WithinSubmission {
  before?: (tx: Tx) => Promise<void>;
  after?: (tx: Tx, rows: ClaimRow[]) => Promise<void>;
}

interface Submitted extends Submission {
  within?: WithinSubmission;
}

/**
 * Stores a submission's claims, all or none (R4.8).
 * @returns the claims' rows as the board shows them
 * @throws DomainError of the first rule that refuses the submission
 */
export function submitClaims(
  ctx: Writing,
  by: Caller,
  { within, ...submission }: Submitted,
): Promise<ClaimRow[]> {
  return write(ctx, async (base) => {
    const { tx } = base;
    const submitter = await actorOf(tx, by);
    await within?.before?.(tx);
    const unit = await beginClaimWrite(base, submitter);
    const member_type = await memberTypeOrFallback(tx, typeOf(submitter, submission));
    const { claims } = submission;
    const rows = await answeredRows(
      unit,
      await submitInWrite(unit, { submitter, member_type, claims }),
    );
    await within?.after?.(tx, rows);
    return rows;
  });
}

const typeOf = (actor: Admin | Member, { member_type }: Submission): string =>
  actor.role === 'member' ? actor.member_type : member_type || DEFAULT_MEMBER_TYPE;

interface Submitting extends Pick<SubmissionFacts, 'submitter' | 'member_type'> {
  claims: Submission['claims'];
}

/**
 * Judges a submission and stores its claims, in the caller's write.
 * @param standing_id of the standing claim that makes them; null: none does
 */
export async function submitInWrite(
  unit: ClaimWrite,
  { standing_id = null, ...submitting }: Submitting & { standing_id?: number | null },
): Promise<Claim[]> {
  const { ctx, tx, guild } = unit;
  const { planned, facts } = await judgeSubmission(ctx, tx, { ...submitting, guild });
  for (const { part, respawn } of facts) unit.labels.set(part.respawn_id, respawn ?? undefined);
  const authorized = await authorizeClaims(unit.tx, unit.actor, planned);
  const stored = await storeClaims(unit, authorized, { standing_id });
  await claimsChanged(
    unit,
    stored.map((after) => ({ before: null, after })),
    { cause: 'submitted' },
  );
  return stored.map(({ claim }) => claim);
}

interface Judged extends Submitting {
  guild: GuildNow;
  /** Hours that the character is about to claim besides, for the budget. */
  earlier?: readonly RequestedHours[];
}

/**
 * The claims that a submission would store.
 * @throws DomainError of the first rule that refuses it
 */
export async function judgeSubmission(
  ctx: Reading,
  tx: Tx,
  { guild, submitter, member_type, claims, earlier = [] }: Judged,
): Promise<{ planned: PlannedClaim[]; facts: PartFacts[] }> {
  const { date: today, hour } = serverSaveNow(ctx);
  const planned = planSubmission(claims, {
    submitter,
    member_type,
    submission_enabled: guild.submission_enabled,
    pause:
      submitter.role === 'member'
        ? await pauseOf(ctx, tx, { character_name: submitter.character_name, rules: guild })
        : null,
    active_event: guild.active_event,
    today,
    hour,
    horizon_days: ctx.env.HORIZON_DAYS,
    clock: serverSaveClock(ctx),
  });
  const facts = await readPartFacts(tx, planned);
  for (const { part, respawn } of facts) assertTakesClaims(respawn, part.respawn_id);
  await assertNothingIsInTheWay(tx, planned, facts);
  if (submitter.role === 'member')
    await assertInBudget(tx, {
      character_name: submitter.character_name,
      requested: [...earlier, ...requestedHours(planned)],
      type: member_type,
      event: guild.active_event,
    });
  return { planned, facts };
}

/** R4.6, R4.7: checks stored claims and the earlier ones of the same submission. */
async function assertNothingIsInTheWay(
  tx: Tx,
  planned: readonly PlannedClaim[],
  facts: readonly PartFacts[],
): Promise<void> {
  const factsOf = Map.groupBy(facts, ({ claim }) => claim);
  const own = new Map<number, TakenRange[]>();
  for (const claim of planned) {
    if (claim.is_secondary_claim) continue;
    const there = factsOf.get(claim) ?? [];
    // The character's claims are only read to name them in the refusal.
    if (there.some(({ held_on }) => held_on !== null)) {
      await assertHasNoHold(tx, claim.character_name, claim.dates);
      assertCharacterIsFree(claim, await heldDays(tx, claim));
    }
    const isHeld =
      there.some(({ taken_on }) => taken_on !== null) && (await holdRefusal(tx, claim));
    if (isHeld) throw isHeld;
    const taken = there.flatMap(({ part, taken_on }) => {
      const earlier = own.get(part.respawn_id) ?? [];
      return taken_on === null ? earlier : [{ ...part, date: taken_on }, ...earlier];
    });
    assertHoursAreFree(claim, taken);
    // Each claim of a submission has one date, or all have the same dates.
    const [date] = claim.dates;
    if (date === undefined) continue;
    for (const part of claim.parts)
      own.set(part.respawn_id, [...(own.get(part.respawn_id) ?? []), { ...part, date }]);
  }
}
