import { sql } from 'kysely';
import { DomainError, existing } from '../../../shared/errors.ts';
import { requestedHours } from '../../../shared/rules/budget.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { endOfNames, nameKey } from '../../../shared/rules/names.ts';
import {
  assertMayOffer,
  assertMayTransfer,
  claimBegins,
  MAX_RECIPIENTS,
  OFFERS_A_DAY,
  TRANSFER_OVER,
  transferExpiry,
} from '../../../shared/rules/transfer.ts';
import { namingRecipient, planTransfer } from '../../../shared/rules/transfer-plan.ts';
import type { Transfer, TransferPlace } from '../../../shared/schemas/transfer.ts';
import { logActivity } from '../../auth/activity-log.ts';
import { actorOf } from '../../auth/authenticate.ts';
import { serverSaveClock, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import type { Reading, Tx } from '../../db/database.ts';
import { domainEvents } from '../../db/domain-events.ts';
import { type Unit, type Writing, write } from '../../db/unit-of-work.ts';
import type { Caller, CallingMember, Member } from '../../http/caller.ts';
import { deadlineMoved } from '../../jobs/deadlines.ts';
import { daysBefore } from '../../jobs/job-kind.ts';
import { assertInBudget } from '../claims/claim-facts.ts';
import { beginClaimWrite, type ClaimWrite } from '../claims/claims-changed.ts';
import { assertIsFree } from '../claims/holders.ts';
import { countWaiting, endTransfers, transferDetails } from '../end-transfers.ts';
import { pauseOf } from '../pauses.ts';
import { readConfig } from '../records/guild.ts';
import {
  authorizedCharacter,
  authorizedCharacters,
  keyOfCharacter,
  memberTypeOrFallback,
} from '../records/members.ts';
import { findRespawns } from '../records/respawns.ts';
import {
  countOffers,
  findTransfer,
  openTransfersOfClaims,
  ownersOf,
  type StoredTransfer,
  transferRecord,
} from '../records/transfers.ts';
import {
  findWholeClaim,
  type NewHolder,
  type Reassignment,
  reassign,
  type WholeClaim,
} from './reassign.ts';

/**
 * Offers a claim to another character, whole. Only members transfer claims: admins move them.
 * @throws DomainError transfer.*, claim.notFound
 */
export function offerHandover(
  ctx: Writing,
  by: CallingMember,
  { claim_id, to }: { claim_id: number; to: string },
): Promise<Transfer> {
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const { claimWrite, member } = await begin(unit, by);
    const own = await ownClaim(tx, member, claim_id);
    if (nameKey(to) === member.character_key) throw new DomainError('transfer.self');
    const recipient = await findRecipient(tx, to);
    return offer(claimWrite, member, { own, wanted: null, recipient });
  });
}

/**
 * Offers a claim in return for another character's.
 * @throws DomainError transfer.*, claim.notFound
 */
export function offerSwap(
  ctx: Writing,
  by: CallingMember,
  { claim_id, for_claim_id }: { claim_id: number; for_claim_id: number },
): Promise<Transfer> {
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const { claimWrite, member } = await begin(unit, by);
    const own = await ownClaim(tx, member, claim_id);
    const wanted = existing(await findWholeClaim(tx, for_claim_id), 'claim.notFound');
    if (nameKey(wanted.claim.character_name) === member.character_key)
      throw new DomainError('transfer.self');
    const recipient = await findRecipient(tx, wanted.claim.character_name);
    return offer(claimWrite, member, { own, wanted, recipient });
  });
}

async function begin(
  unit: Unit,
  by: CallingMember,
): Promise<{ claimWrite: ClaimWrite; member: Member }> {
  const member = await memberAmong(unit.tx, by);
  const { transfers_enabled } = await readConfig(unit.ctx, unit.tx);
  if (!transfers_enabled) throw new DomainError('transfer.disabled');
  return { claimWrite: await beginClaimWrite(unit, member), member };
}

async function memberAmong(tx: Tx, by: CallingMember): Promise<Member> {
  const actor = await actorOf(tx, by);
  if (actor.role !== 'member') throw new Error('the caller is a member');
  return actor;
}

async function ownClaim(tx: Tx, { character_key }: Member, id: number): Promise<WholeClaim> {
  const own = existing(await findWholeClaim(tx, id), 'claim.notFound');
  if (nameKey(own.claim.character_name) !== character_key)
    throw new DomainError('transfer.otherClaim');
  return own;
}

/** @throws DomainError transfer.noMember if the character couldn't answer */
async function findRecipient(tx: Tx, character_name: string): Promise<NewHolder> {
  const key = await keyOfCharacter(tx, nameKey(character_name));
  const character =
    key && (await authorizedCharacters(tx, [key.character_name])).of(key.character_name);
  // Members don't learn who is banned.
  if (!character || key.is_revoked) throw new DomainError('transfer.noMember', { character_name });
  return {
    character_name: key.character_name,
    character,
    type: await memberTypeOrFallback(tx, key.member_type),
  };
}

/**
 * The names of other characters that can answer an offer, by how they begin. Members don't learn who is banned.
 * @throws DomainError transfer.disabled
 */
export async function recipientsLike(
  ctx: Reading,
  { character_key }: Pick<Member, 'character_key'>,
  typed: string,
): Promise<string[]> {
  const { transfers_enabled } = await readConfig(ctx, ctx.db);
  if (!transfers_enabled) throw new DomainError('transfer.disabled');
  const begin = nameKey(typed);
  // The order of bytes, in which the index finds a range of names.
  const key = sql<string>`${sql.ref('access_keys.character_key')}${sql.raw(ctx.dialect === 'postgres' ? ' collate "C"' : '')}`;
  const rows = await ctx.db
    .selectFrom('access_keys')
    .leftJoin('bans', 'bans.character_key', 'access_keys.character_key')
    .select('access_keys.character_name')
    .where(key, '>=', begin)
    .where(key, '<', endOfNames(begin))
    .where('access_keys.character_key', '!=', character_key)
    .where('access_keys.is_revoked', '=', 0)
    .where('bans.character_key', 'is', null)
    .orderBy(key)
    .limit(MAX_RECIPIENTS)
    .execute();
  return rows.map(({ character_name }) => character_name);
}

interface Offer {
  own: WholeClaim;
  wanted: WholeClaim | null;
  recipient: NewHolder;
}

async function offer(
  unit: ClaimWrite,
  member: Member,
  { own, wanted, recipient }: Offer,
): Promise<Transfer> {
  const { ctx, tx, changes } = unit;
  const claims = wanted ? [own, wanted] : [own];
  const begins = claims.map((claim) => beginOf(ctx, claim));
  await assertMayGoNow(unit, claims);
  const ids = claims.map(({ claim }) => claim.id);
  if ((await openTransfersOfClaims(tx, ids)).length > 0)
    throw new DomainError('transfer.alreadyOpen');
  const to_key = nameKey(recipient.character_name);
  const since = daysBefore(ctx.now(), 1);
  assertMayOffer(
    await countOffers(tx, member.character_key, { to_key, since, most: OFFERS_A_DAY }),
    recipient.character_name,
  );
  await judgeAll(
    unit,
    reassignmentsOf({ own, wanted, recipient }, await recipientOf(tx, member)),
    member.character_name,
  );
  const row = {
    kind: wanted ? ('swap' as const) : ('handover' as const),
    claim_id: own.claim.id,
    for_claim_id: wanted?.claim.id ?? null,
    from_name: member.character_name,
    from_key: member.character_key,
    to_name: recipient.character_name,
    to_key,
    created_at: ctx.now().toISOString(),
    expires_at: transferExpiry(begins, ctx.now()).toISOString(),
  };
  const [offered, inReturn = null] = await hoursOf(tx, claims);
  if (!offered) throw new Error('a claim has hours');
  const stored = {
    ...row,
    offered: JSON.stringify(offered),
    wanted: inReturn && JSON.stringify(inReturn),
  };
  const { id } = await tx
    .insertInto('transfers')
    .values(stored)
    .returning('id')
    .executeTakeFirstOrThrow();
  const transfer = await findTransfer(tx, id);
  if (!transfer) throw new Error('the transfer was not stored');
  const record = transferRecord(transfer);
  changes.putOwned({ kind: 'transfer', record }, ownersOf(transfer));
  deadlineMoved(unit);
  changes.collect(domainEvents).report({ type: 'transfer.offered', data: record });
  await logActivity(unit, member, {
    action: 'transfer_offered',
    details: transferDetails(transfer),
  });
  return record;
}

const recipientOf = async (tx: Tx, member: Member): Promise<NewHolder> => ({
  character_name: member.character_name,
  character: await authorizedCharacter(tx, member, member.character_name),
  type: await memberTypeOrFallback(tx, member.member_type),
});

/** @param owner who gets the claim in return */
function reassignmentsOf({ own, wanted, recipient: to }: Offer, owner: NewHolder): Reassignment[] {
  return [{ from: own, to }, ...(wanted ? [{ from: wanted, to: owner }] : [])];
}

const beginOf = (ctx: Writing, { claim, first_date }: WholeClaim): Date =>
  claimBegins(claimOnRespawns(claim), first_date, serverSaveClock(ctx));

/** @throws DomainError transfer.held, transfer.secondary, transfer.begun, transfer.waitlist */
async function assertMayGoNow({ ctx, tx }: Unit, claims: readonly WholeClaim[]): Promise<void> {
  for (const whole of claims) {
    assertMayTransfer(whole.claim, beginOf(ctx, whole), ctx.now());
    const count = await countWaiting(tx, claimOnRespawns(whole.claim), whole);
    if (count > 0) throw new DomainError('transfer.waitlist', { count });
  }
}

async function hoursOf(tx: Tx, claims: readonly WholeClaim[]): Promise<TransferPlace[]> {
  const names = new Map(
    (await findRespawns(tx, { ids: claims.map(({ claim }) => claim.respawn_id) })).map(
      ({ id, name }) => [id, name],
    ),
  );
  return claims.map(({ claim: { respawn_id, date, hour_start, hour_end } }) => {
    return { respawn_id, respawn_name: names.get(respawn_id) ?? '', date, hour_start, hour_end };
  });
}

/**
 * Judges reassignments as if their claims were released and claimed again at once.
 * @param caller gets their own refusals unchanged; those of the other character name that character
 */
async function judgeAll(
  unit: ClaimWrite,
  reassignments: readonly Reassignment[],
  caller: string,
): Promise<void> {
  const given = reassignments.map(({ from }) => from.claim.id);
  for (const { from, to } of reassignments) {
    try {
      await judge(unit, { from, to }, given);
    } catch (error) {
      throw namingRecipient(error, to.character_name, caller);
    }
  }
}

/** The rules of a submission (R3 to R5), one spot a date, and the budget. */
async function judge(
  { ctx, tx, guild }: ClaimWrite,
  { from, to }: Reassignment,
  given: readonly number[],
): Promise<void> {
  const { date: today, hour } = serverSaveNow(ctx);
  const { submission_enabled, active_event } = guild;
  const planned = planTransfer(
    { claim: from.claim, secondaries: from.secondaries.map((each) => each.claim) },
    to,
    {
      submission_enabled,
      pause: await pauseOf(ctx, tx, { character_name: to.character_name, rules: guild }),
      active_event,
      today,
      hour,
      horizon_days: ctx.env.HORIZON_DAYS,
      clock: serverSaveClock(ctx),
    },
  );
  const spots = new Set(planned.flatMap(({ parts }) => parts.map(({ respawn_id }) => respawn_id)));
  for (const { is_enabled, name } of await findRespawns(tx, { ids: [...spots] }))
    if (!is_enabled) throw new DomainError('respawn.disabled', { respawn_name: name });
  await assertIsFree(tx, from, { character_name: to.character_name, given });
  const event = from.claim.event_id === null ? null : active_event;
  await assertInBudget(tx, {
    ...to,
    requested: requestedHours(planned),
    event,
    except: given,
  });
}

/** A transfer that the caller may act on. @throws DomainError transfer.notFound, transfer.otherCharacter */
async function transferOf(
  tx: Tx,
  id: number,
  isTheirs: (transfer: StoredTransfer) => boolean,
): Promise<StoredTransfer> {
  const transfer = existing(await findTransfer(tx, id), 'transfer.notFound');
  if (!isTheirs(transfer)) throw new DomainError('transfer.otherCharacter');
  return transfer;
}

/** @throws DomainError that says why it has ended */
function assertOpen({ outcome, expires_at }: StoredTransfer, now: Date): void {
  if (outcome !== null) throw new DomainError(TRANSFER_OVER[outcome]);
  // The expiry may be backing off.
  if (expires_at <= now.toISOString()) throw new DomainError('transfer.expired');
}

/**
 * Gives the claims of a transfer to their new holders.
 * @throws DomainError transfer.*, or of the rule that refuses
 */
export function acceptTransfer(ctx: Writing, by: CallingMember, id: number): Promise<Transfer> {
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const member = await memberAmong(tx, by);
    const transfer = await transferOf(tx, id, ({ to_key }) => to_key === member.character_key);
    assertOpen(transfer, ctx.now());
    const { claimWrite } = await begin(unit, by);
    const own = await findWholeClaim(tx, transfer.claim_id);
    const wanted =
      transfer.for_claim_id === null ? null : await findWholeClaim(tx, transfer.for_claim_id);
    if (!own || (transfer.for_claim_id !== null && !wanted))
      throw new Error('an open transfer has its claims');
    await assertMayGoNow(unit, wanted ? [own, wanted] : [own]);
    // Of a handover the owner need not be a member any more: the offer was made by one.
    const owner = wanted ? await findRecipient(tx, transfer.from) : await recipientOf(tx, member);
    const recipient = await recipientOf(tx, member);
    const reassignments = reassignmentsOf({ own, wanted, recipient }, owner);
    await judgeAll(claimWrite, reassignments, member.character_name);
    await endTransfers(claimWrite, [transfer], 'accepted');
    await reassign(claimWrite, reassignments, { cause: wanted ? 'swapped' : 'handed_over' });
    return transferRecord(transfer);
  });
}

/** @throws DomainError transfer.* */
export function refuseTransfer(ctx: Writing, by: CallingMember, id: number): Promise<Transfer> {
  return write(ctx, async (unit) => {
    const member = await memberAmong(unit.tx, by);
    const transfer = await transferOf(unit.tx, id, ({ to_key }) => to_key === member.character_key);
    assertOpen(transfer, ctx.now());
    await endTransfers({ ...unit, actor: member }, [transfer], 'refused');
    return transferRecord(transfer);
  });
}

/** Its owner, or an admin, withdraws an offer. @throws DomainError transfer.* */
export async function withdrawTransfer(ctx: Writing, by: Caller, id: number): Promise<void> {
  await write(ctx, async (unit) => {
    const actor = await actorOf(unit.tx, by);
    const transfer = await transferOf(
      unit.tx,
      id,
      ({ from_key }) => actor.role === 'admin' || from_key === actor.character_key,
    );
    if (transfer.outcome === 'withdrawn') throw new DomainError('transfer.notFound');
    // Also while its expiry backs off: an open transfer blocks the next one.
    if (transfer.outcome !== null) throw new DomainError(TRANSFER_OVER[transfer.outcome]);
    await endTransfers({ ...unit, actor }, [transfer], 'withdrawn');
  });
}
