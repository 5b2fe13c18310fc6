import { DomainError } from '../../../shared/errors.ts';
import { isOnBoard } from '../../../shared/rules/board.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { assertCharacterIsFree, assertHoursAreFree, type TakenRange } from '../../../shared/rules/conflicts.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { lastOf, type PlannedClaim, planSubmission } from '../../../shared/rules/submission.ts';
import type { ClaimRow, Submission } from '../../../shared/schemas/claim.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../shared/schemas/member-type.ts';
import { adminAmong } from '../../auth/activity-log.ts';
import type { Admin, Member, Principal } from '../../auth/callers.ts';
import { actorOf } from '../../auth/who-asks.ts';
import type { Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import { deadlineChanges } from '../../jobs/deadlines.ts';
import type { Writing } from '../../jobs/writing.ts';
import { serverSaveNow } from '../config/clock.ts';
import { memberTypeOrFallback } from '../records/member-types.ts';
import { affectedWaitlists } from '../waitlist/affected-waitlists.ts';
import { readGuildNow } from './board-view.ts';
import { tellCreated } from './claim-events.ts';
import { assertHoldsNothing, assertInBudget, heldDays, heldInTheWay, hoursAsked, readStanding, type Standing } from './claim-facts.ts';
import { claimRow } from './claim-records.ts';
import { claimsCame, putMoved, recordClaims, tallyOf } from './claims-changed.ts';
import { judgeOf, storeClaims } from './store-claims.ts';

/** What else belongs into the transaction of a submission. */
export interface WithinSubmission {
  before?: (tx: Tx) => Promise<void>;
  after?: (tx: Tx, rows: ClaimRow[]) => Promise<void>;
}

/**
 * Stores a submission's claims, all or none (R4.8): facts, rules, rows, change set. Nothing that was written is read back.
 * @returns their rows as the board shows them
 * @throws DomainError the first rule that refuses it; nothing is written then
 */
export function submitClaims(
  ctx: Writing,
  principal: Principal,
  submission: Submission,
  within: WithinSubmission = {},
): Promise<ClaimRow[]> {
  return write(ctx, async (tx, changes) => {
    const actor = await actorOf(tx, principal);
    await within.before?.(tx);
    const guild = await readGuildNow(ctx, tx);
    const { date: today, hour } = serverSaveNow(ctx);
    const member_type = await memberTypeOrFallback(tx, typeOf(actor, submission));
    const planned = planSubmission(submission.claims, {
      submitter: actor,
      member_type,
      submission_enabled: guild.submission_enabled,
      active_event: guild.active_event,
      today,
      hour,
      horizon_days: ctx.env.HORIZON_DAYS,
    });
    const standing = await readStanding(tx, planned);
    assertRespawnsTakeClaims(standing);
    await assertNothingIsInTheWay(tx, planned, standing);
    if (actor.role === 'member') await assertInBudget(tx, actor.character_name, hoursAsked(planned), member_type, guild.active_event);

    const stored = await storeClaims(tx, planned, ctx.now().toISOString(), null, judgeOf(ctx, guild));
    const claims = stored.map(({ claim }) => claim);
    const places = new Map(standing.map(({ part, respawn }) => [part.respawn_id, respawn ?? undefined]));
    const rows = claims.flatMap(claimOnRespawns).map((row) => claimRow(row, places.get(row.respawn_id)));

    for (const { claim, planned } of stored) {
      changes.collect(affectedWaitlists).character(nameKey(claim.character_name));
      if (isOnBoard(claim, lastOf(planned), guild)) changes.put({ kind: 'claim', record: claim });
    }
    await recordClaims(ctx, tx, changes, actor, 'claim_created', claims, rows, (details) => ({ details }));
    putMoved(changes, await claimsCame(tx, tallyOf(claims)));
    await tellCreated(tx, changes, claims, adminAmong(actor), places);
    if (claims.some(({ to_confirm }) => to_confirm.length > 0)) changes.collect(deadlineChanges).moved = true;
    await within.after?.(tx, rows);
    return rows;
  });
}

const typeOf = (actor: Admin | Member, { member_type }: Submission): string =>
  actor.role === 'member' ? actor.member_type : member_type || DEFAULT_MEMBER_TYPE;

/** R4.10: a respawn that is gone or disabled takes no claims. */
function assertRespawnsTakeClaims(standing: readonly Standing[]): void {
  for (const { part, respawn } of standing) {
    if (!respawn) throw new DomainError('respawn.notFound', { respawn_id: part.respawn_id });
    if (!respawn.is_enabled) throw new DomainError('respawn.disabled', { respawn_name: respawn.name });
  }
}

/** R4.6, R4.7: neither a stored claim nor an earlier one of the same submission. */
async function assertNothingIsInTheWay(tx: Tx, planned: readonly PlannedClaim[], standing: readonly Standing[]): Promise<void> {
  const standingOf = Map.groupBy(standing, ({ claim }) => claim);
  const own = new Map<number, TakenRange[]>();
  for (const claim of planned) {
    if (claim.is_secondary_claim) continue;
    const there = standingOf.get(claim) ?? [];
    // Only a refusal lists what its character has.
    if (there.some(({ held_on }) => held_on !== null)) {
      await assertHoldsNothing(tx, claim.character_name, claim.dates);
      assertCharacterIsFree(claim, await heldDays(tx, claim));
    }
    const isHeld = there.some(({ taken_on }) => taken_on !== null) && (await heldInTheWay(tx, claim));
    if (isHeld) throw isHeld;
    const taken = there.flatMap(({ part, taken_on }) => {
      const earlier = own.get(part.respawn_id) ?? [];
      return taken_on === null ? earlier : [{ ...part, date: taken_on }, ...earlier];
    });
    assertHoursAreFree(claim, taken);
    // Claims of one submission are of one date each, or all of the same dates.
    const [date] = claim.dates;
    if (date === undefined) continue;
    for (const part of claim.parts) own.set(part.respawn_id, [...(own.get(part.respawn_id) ?? []), { ...part, date }]);
  }
}
