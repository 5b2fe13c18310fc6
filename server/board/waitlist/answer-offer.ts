import { DomainError } from '../../../shared/errors.ts';
import { lengthOf } from '../../../shared/rules/budget.ts';
import { assertHoursInTime } from '../../../shared/rules/claim-time.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { type Actor, adminAmong, logActivities } from '../../auth/activity-log.ts';
import type { Principal } from '../../auth/callers.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import { deadlineChanges } from '../../jobs/deadlines.ts';
import type { Writing } from '../../jobs/writing.ts';
import { type GuildNow, readGuildNow, showClaims } from '../claims/board-view.ts';
import { tellCreated } from '../claims/claim-events.ts';
import { assertInBudget } from '../claims/claim-facts.ts';
import { loadDatedClaims } from '../claims/claim-records.ts';
import { claimsCame, putMoved } from '../claims/claims-changed.ts';
import { isJudgedNow } from '../claims/store-claims.ts';
import { serverSaveNow } from '../config/clock.ts';
import { memberTypeOrFallback } from '../records/member-types.ts';
import { endWaits, leaveLine } from './end.ts';
import { actedOn, assertTypeMay } from './operations.ts';
import { findWait } from './queries.ts';
import type { StoredWait } from './stored.ts';
import { deedsOf, toldOf } from './told.ts';

/** @throws DomainError hold.over, wait.notOpen, wait.notOffered */
function assertOffered({ status }: StoredWait): void {
  if (status === 'offered') return;
  if (status === 'lapsed') throw new DomainError('hold.over');
  throw new DomainError(status === 'waiting' ? 'wait.notOffered' : 'wait.notOpen');
}

/**
 * Makes an ordinary claim of the hours that are held, made now; the character's other waits of that date are void (R9.9). It is of the
 * active event, whatever was active when the hours were held (R9.12).
 * @throws DomainError budget.day, budget.event, wait.notFound, wait.otherCharacter, wait.notOffered, wait.notOpen; hold.over for one
 * that has lapsed, claim.hoursOver where its hours are over before it is; claim.typeMayNotSubmit, claim.beforeEarliestDate
 */
export function acceptOffer(ctx: Writing, by: Principal, id: number): Promise<Wait> {
  return write(ctx, async (tx, changes) => {
    const { actor, wait } = await actedOn(tx, by, id);
    assertOffered(wait);
    const claim_id = wait.held_claim_id ?? 0;
    const created_at = ctx.now().toISOString();
    const guild = await readGuildNow(ctx, tx);
    await assertMayHave(ctx, tx, actor, wait, claim_id, guild);
    const event_id = wait.event_id ?? guild.active_event?.id ?? null;
    await tx.updateTable('claims').set({ held_until: null, created_at, event_id }).where('id', '=', claim_id).execute();
    if (wait.event_id === null && event_id !== null)
      putMoved(changes, await claimsCame(tx, { respawns: new Map(), events: new Map([[event_id, 1]]) }));
    const [taken] = await loadDatedClaims(tx, { of: 'ids', ids: [claim_id] });
    if (!taken) throw new Error('what is held has no claim');
    if (isJudgedNow(ctx, guild)({ date: wait.date, hour_start: taken.claim.hour_start })) await judge(tx, changes, taken.claim);
    await leaveLine(ctx, tx, changes, [wait], 'accepted');
    await tellCreated(tx, changes, [taken.claim], adminAmong(actor));
    if (wait.event_id === null && event_id !== null) changes.remove('occupancy', claim_id);
    showClaims(changes, [taken], guild);
    await logActivities(changes, actor, 'hold_accepted', deedsOf(await toldOf(tx, [wait], [taken.claim])));
    return ended(await findWait(tx, id));
  });
}

/**
 * R4.3, R4.4: the type may claim by now. R4.14: a hold of the last minutes may outlast its hours. R9.27, R9.28: what is held
 * counts from now on.
 */
async function assertMayHave(
  ctx: Writing,
  tx: Tx,
  actor: Actor,
  wait: StoredWait,
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

/** R9.24: it was made now, and begins late enough to be confirmed. */
async function judge(tx: Tx, changes: ChangeRecorder, claim: Claim): Promise<void> {
  await tx.updateTable('claim_parts').set({ to_confirm: 1 }).where('claim_id', '=', claim.id).execute();
  claim.to_confirm = [1];
  changes.collect(deadlineChanges).moved = true;
}

/**
 * Lets the hours go that are held; the next in line are asked.
 * @throws DomainError as `acceptOffer`
 */
export function declineOffer(ctx: Writing, by: Principal, id: number): Promise<Wait> {
  return write(ctx, async (tx, changes) => {
    const { actor, wait } = await actedOn(tx, by, id);
    assertOffered(wait);
    await endWaits(ctx, tx, changes, actor, [wait], 'declined');
    return ended(await findWait(tx, id));
  });
}

function ended(wait: Wait | null): Wait {
  if (!wait) throw new DomainError('wait.notFound');
  return wait;
}
