import { DomainError } from '../../../shared/errors.ts';
import { lengthOf } from '../../../shared/rules/budget.ts';
import { assertHoursInTime } from '../../../shared/rules/claim-time.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { type Actor, logActivities } from '../../auth/activity-log.ts';
import { type ServerSaveSettings, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import type { Clock, Tx } from '../../db/database.ts';
import { type Writer, write } from '../../db/unit-of-work.ts';
import type { Settings } from '../../env.ts';
import type { Principal } from '../../http/caller.ts';
import type { GuildNow } from '../claims/board-view.ts';
import { assertInBudget } from '../claims/claim-facts.ts';
import { loadDatedClaims } from '../claims/claim-records.ts';
import { beginClaimWrite, claimsChanged } from '../claims/claims-changed.ts';
import { needsConfirmation } from '../claims/store-claims.ts';
import { memberTypeOrFallback } from '../records/member-types.ts';
import { closeEntries, describeEntries, endEntries, holdDetails } from './entries.ts';
import { assertTypeMay, findForActor } from './join.ts';
import { findWait, type StoredEntry } from './waitlist-store.ts';

/** @throws DomainError hold.over, wait.notOpen, wait.notOffered */
function assertOffered({ status }: StoredEntry): void {
  if (status === 'offered') return;
  if (status === 'lapsed') throw new DomainError('hold.over');
  throw new DomainError(status === 'waiting' ? 'wait.notOffered' : 'wait.notOpen');
}

/**
 * Turns the hold into an ordinary claim, made now; the character's other entries of that date become void (R9.9). The claim belongs to
 * the active event, even if the hold was made before its activation (R9.12).
 * @throws DomainError budget.day, budget.event, wait.notFound, wait.otherCharacter, wait.notOffered, wait.notOpen; hold.over for one
 * that has lapsed, claim.hoursOver where its hours are over before it is; claim.typeMayNotSubmit, claim.beforeEarliestDate
 */
export function acceptOffer(ctx: Writer & Settings, by: Principal, id: number): Promise<Wait> {
  return write(ctx, async (tx, changes) => {
    const { actor, wait } = await findForActor(tx, by, id);
    assertOffered(wait);
    const claim_id = wait.held_claim_id ?? 0;
    const created_at = ctx.now().toISOString();
    const unit = await beginClaimWrite(ctx, tx, changes, actor);
    const { guild } = unit;
    await assertMayHave(ctx, tx, actor, wait, claim_id, guild);
    const [before] = await loadDatedClaims(tx, { of: 'ids', ids: [claim_id] });
    if (!before) throw new Error('an offered hold has no claim');
    const event_id = wait.event_id ?? guild.active_event?.id ?? null;
    // R9.24: it is claimed now, and may begin late enough to be confirmed.
    const to_confirm = needsConfirmation(ctx, guild)({ date: wait.date, hour_start: before.claim.hour_start }) ? 1 : 0;
    await tx.updateTable('claims').set({ held_until: null, created_at, event_id }).where('id', '=', claim_id).execute();
    if (to_confirm) await tx.updateTable('claim_parts').set({ to_confirm }).where('claim_id', '=', claim_id).execute();
    const [after] = await loadDatedClaims(tx, { of: 'ids', ids: [claim_id] });
    if (!after) throw new Error('an accepted hold has no claim');
    await closeEntries(ctx, tx, changes, [wait], 'accepted');
    await claimsChanged(unit, [{ before, after }], { cause: 'hold_accepted' });
    await logActivities(changes, actor, 'hold_accepted', holdDetails(await describeEntries(tx, [wait], [after.claim])));
    return ended(await findWait(tx, id));
  });
}

/** R4.3, R4.4; R4.14: a hold of the last minutes may outlast its hours; R9.27, R9.28: budgets count the accepted hours. */
async function assertMayHave(
  ctx: Clock & Settings,
  tx: Tx,
  actor: Actor,
  wait: StoredEntry,
  claim_id: number,
  { active_event }: GuildNow,
): Promise<void> {
  if (actor.role !== 'member') return;
  const type = await memberTypeOrFallback(tx, wait.member_type);
  assertTypeMay(ctx, actor, type);
  const parts = await tx.selectFrom('claim_parts').select(['hour_start', 'hour_end']).where('claim_id', '=', claim_id).execute();
  const { date: today, hour } = serverSaveNow(ctx);
  const time = { today, hour, horizon_days: ctx.env.HORIZON_DAYS, may_enter_past: false };
  for (const part of parts) assertHoursInTime(part, wait.date, time, null);
  await assertInBudget(tx, wait.character_name, [{ dates: [wait.date], hours: lengthOf(parts) }], type, active_event);
}

/**
 * Ends the entry and frees its hold for the next member on the waitlist.
 * @throws DomainError as `acceptOffer`
 */
export function declineOffer(ctx: Writer & ServerSaveSettings, by: Principal, id: number): Promise<Wait> {
  return write(ctx, async (tx, changes) => {
    const { actor, wait } = await findForActor(tx, by, id);
    assertOffered(wait);
    await endEntries(ctx, tx, changes, actor, [wait], 'declined');
    return ended(await findWait(tx, id));
  });
}

function ended(wait: Wait | null): Wait {
  if (!wait) throw new DomainError('wait.notFound');
  return wait;
}
