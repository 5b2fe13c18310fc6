import { z } from 'zod';
import { DomainError, existing } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Recipient } from '../../../shared/rules/transfer-plan.ts';
import type { Claim, ClaimRow } from '../../../shared/schemas/claim.ts';
import { id } from '../../../shared/schemas/fields.ts';
import type { ClaimCharacter } from '../../../shared/schemas/transfer.ts';
import type { RecordUndo } from '../../activity/undo.ts';
import { keepUndo } from '../../activity/undo-store.ts';
import type { Tx } from '../../db/database.ts';
import { type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { assertAsSeen } from '../as-seen.ts';
import { datesOf } from '../claims/claim-facts.ts';
import { type ClaimChange, type DatedClaim, loadDatedClaims } from '../claims/claim-records.ts';
import {
  answeredRows,
  beginClaimWrite,
  type ClaimWrite,
  claimsChanged,
  type Why,
} from '../claims/claims-changed.ts';
import { changedRefusal, isGivenOn, lastEnding } from '../claims/edit-undo.ts';
import {
  assertIsFree,
  chosenHolder,
  type Holding,
  holdingFor,
  partsToBegin,
  storeHolding,
} from '../claims/holders.ts';
import { occupyDays } from '../claims/occupancy.ts';
import { keptEntriesOn } from '../kept-entries.ts';
import { type AuthorizedCharacter, authorizedCharacter } from '../records/members.ts';
import { withdrawOffers } from '../waitlist/entries.ts';

/** A claim with the secondary claims that go where it goes, and the dates that it covers. */
export interface WholeClaim extends DatedClaim {
  secondaries: readonly DatedClaim[];
  dates: readonly string[];
}

/** A character that may get a claim, with its member type. */
export interface NewHolder extends Recipient {
  character: AuthorizedCharacter;
}

export interface Reassignment {
  from: WholeClaim;
  to: NewHolder;
}

export async function findWholeClaim(tx: Tx, id: number): Promise<WholeClaim | null> {
  const [found] = await loadDatedClaims(tx, { type: 'ids', ids: [id] });
  if (!found) return null;
  const followers = await tx
    .selectFrom('claims')
    .select('id')
    .where('primary_claim_id', '=', id)
    .execute();
  const secondaries = await loadDatedClaims(tx, {
    type: 'ids',
    ids: followers.map((follower) => follower.id),
  });
  return { ...found, secondaries, dates: await datesOf(tx, found.claim) };
}

/** A claim that changes hands, with the new fields of it and of each of its secondary claims. */
interface Reassigned {
  from: WholeClaim;
  to: AuthorizedCharacter;
  holdingOf: (claim: Claim) => Holding;
}

/**
 * Gives claims to other characters, all at once: with their secondary claims, and with the days that they occupy. Their hours stay
 * occupied. The new holders confirm them, unless they have begun (R9.24).
 * @throws DomainError claim.characterHasClaim
 */
export function reassign(
  unit: ClaimWrite,
  reassignments: readonly Reassignment[],
  why: Why,
): Promise<DatedClaim[]> {
  const reassigned = reassignments.map(({ from, to }) => ({
    from,
    to: to.character,
    holdingOf: (claim: Claim) => holdingFor(unit, claim, to.type),
  }));
  return storeReassigned(unit, reassigned, why);
}

async function storeReassigned(
  unit: ClaimWrite,
  reassigned: readonly Reassigned[],
  why: Why,
): Promise<DatedClaim[]> {
  const { tx } = unit;
  const ids = reassigned.map(({ from }) => from.claim.id);
  await tx.deleteFrom('occupied_days').where('claim_id', 'in', ids).execute();
  const given: ClaimChange[] = [];
  const occupations: { claim_id: number; character_key: string; dates: readonly string[] }[] = [];
  for (const { from, to, holdingOf } of reassigned) {
    const store = (before: DatedClaim): Promise<DatedClaim> =>
      storeHolding(tx, before, { ...holdingOf(before.claim), to });
    given.push({ before: from, after: await store(from) });
    for (const before of from.secondaries)
      given.push({ before, after: await store(before), follows: true });
    occupations.push({
      claim_id: from.claim.id,
      character_key: to.character_key,
      dates: from.dates,
    });
  }
  const collision = await occupyDays(tx, occupations);
  if (collision) {
    const character_name =
      given.find(({ after }) => after?.claim.id === collision.claim_id)?.after?.claim
        .character_name ?? '';
    throw new DomainError('claim.characterHasClaim', { date: collision.date, character_name });
  }
  await claimsChanged(unit, given, why);
  return given.flatMap(({ after, follows }) => (after && !follows ? [after] : []));
}

/**
 * An admin moves a claim to another character, with its secondary claims, or corrects the spelling of its character's name. As when
 * admins edit hours, vouchers and budgets don't apply.
 * @returns the claim's rows as the board shows them
 * @throws DomainError claim.notFound, hold.notEdited, transfer.secondary, transfer.self, character.banned, secondary.typeNotAllowed,
 * hold.isYours, claim.characterHasClaim
 */
export function moveToCharacter(
  ctx: Writing,
  admin: Admin,
  { id, character_name, member_type, seen }: ClaimCharacter & { id: number },
): Promise<ClaimRow[]> {
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const from = existing(await findWholeClaim(tx, id), 'claim.notFound');
    if (from.claim.is_held) throw new DomainError('hold.notEdited');
    assertAsSeen(from.claim, seen, 'claim.changedMeanwhile');
    const { claim, secondaries } = from;
    const choice = { claim, secondaries, character_name, member_type };
    const { character, type } = await chosenHolder(tx, admin, choice);
    const claimWrite = await beginClaimWrite(unit, admin);
    if (type === null)
      return answeredRows(claimWrite, [await respell(claimWrite, from, character)]);
    await assertIsFree(tx, from, { character_name });
    const waits = await keptEntriesOn(tx, character.character_key, from.dates);
    const undo = await keepUndo(unit, {
      records: [await moveRecord(tx, from, character_name), ...waits],
    });
    const given = await reassign(claimWrite, [{ from, to: { character_name, character, type } }], {
      cause: 'reassigned',
      undo,
    });
    return answeredRows(
      claimWrite,
      given.map(({ claim }) => claim),
    );
  });
}

/** Corrects the spelling of the name that a claim and its secondary claims have. */
async function respell(
  unit: ClaimWrite,
  from: WholeClaim,
  { character_name }: AuthorizedCharacter,
): Promise<Claim> {
  const claims = [from, ...from.secondaries];
  const ids = claims.map(({ claim }) => claim.id);
  await unit.tx.updateTable('claims').set({ character_name }).where('id', 'in', ids).execute();
  const respelled = claims.map((before, nth) => ({
    before,
    after: { ...before, claim: { ...before.claim, character_name } },
    ...(nth > 0 && { follows: true as const }),
  }));
  await claimsChanged(unit, respelled, { cause: 'respelled' });
  return { ...from.claim, character_name };
}

const storedHolding = z.object({
  id,
  character_name: z.string(),
  member_type: z.string(),
  voucher_duration: z.number().int(),
  custom_duration: z.number().int().nullable(),
  standing_id: id.nullable(),
  to_confirm: z.array(z.union([z.literal(1), z.literal(2)])),
});

/** A claim and its secondary claims before an admin moved them. */
const movedClaim = z.object({
  kind: z.literal('claim'),
  id,
  changed: z.object({
    before: z.array(storedHolding),
    after: z.object({ character_name: z.string() }),
  }),
  /** Dates, spots and hours of the claims, to notice later changes. */
  fingerprint: z.string(),
  /** The newest entry of the claim history before the move; 0: none. */
  last_ending: z.number().int(),
});
type MovedClaim = z.infer<typeof movedClaim>;

const fingerprintOf = ({ claim, secondaries, dates }: WholeClaim): string =>
  JSON.stringify([
    dates,
    [claim, ...secondaries.map((each) => each.claim)].map((each) => [
      each.id,
      claimOnRespawns(each).map(({ respawn_id, hour_start, hour_end }) => [
        respawn_id,
        hour_start,
        hour_end,
      ]),
    ]),
  ]);

async function moveRecord(tx: Tx, from: WholeClaim, character_name: string): Promise<MovedClaim> {
  const before = [from.claim, ...from.secondaries.map(({ claim }) => claim)].map((claim) =>
    storedHolding.parse(claim),
  );
  const changed = { before, after: { character_name } };
  return {
    kind: 'claim',
    id: from.claim.id,
    changed,
    fingerprint: fingerprintOf(from),
    last_ending: await lastEnding(tx),
  };
}

/**
 * Gives claims that admins moved back to their characters, as if they had not been moved: with their standing claims, confirmed or not,
 * and without the entries in the claim history.
 */
export const moveUndo: RecordUndo<MovedClaim> = {
  kinds: ['claim'],
  capability: 'claims',
  record: movedClaim,
  restore: async (write, records) => {
    if (records.length > 0) {
      const unit = await beginClaimWrite(write, write.admin);
      for (const record of records) await moveBack(unit, record, write.entry_id);
    }
    // `claimsChanged` has shown the claims.
    return async () => undefined;
  },
};

/** @throws DomainError activity.changedBy, character.banned, claim.characterHasClaim */
async function moveBack(
  unit: ClaimWrite,
  { id, changed: { before, after }, fingerprint, last_ending }: MovedClaim,
  entry_id: number,
): Promise<void> {
  const { ctx, tx, guild } = unit;
  const from = await findWholeClaim(tx, id);
  const isAsMoved =
    from &&
    nameKey(from.claim.character_name) === nameKey(after.character_name) &&
    fingerprintOf(from) === fingerprint;
  const given = { before, last_ending };
  if (!isAsMoved || (await isGivenOn(tx, given, after.character_name)))
    throw await changedRefusal(tx, {
      claim_id: id,
      character_name: before[0]?.character_name ?? '',
      entry_id,
    });
  const to = await authorizedCharacter(tx, unit.actor, before[0]?.character_name ?? '');
  const former = new Map(
    before.map((holding) => [holding.id, omit(holding, 'id', 'character_name')]),
  );
  const holdingOf = (claim: Claim): Holding => {
    const holding = former.get(claim.id);
    if (!holding) throw new Error('the compared claims are those that were moved');
    const toBegin = guild.confirm_enabled ? partsToBegin(ctx, claim) : [];
    return { ...holding, to_confirm: holding.to_confirm.filter((part) => toBegin.includes(part)) };
  };
  await withdrawOffers(unit, await holdsOf(tx, to.character_key, from.dates));
  await assertIsFree(tx, from, to);
  await storeReassigned(unit, [{ from, to, holdingOf }], { cause: 'moved_back', last_ending });
}

/** The unanswered offers of a character on some dates. */
async function holdsOf(tx: Tx, character_key: string, dates: readonly string[]): Promise<number[]> {
  const held = await tx
    .selectFrom('occupied_days')
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .select('claims.id')
    .distinct()
    .where('occupied_days.character_key', '=', character_key)
    .where('occupied_days.date', 'in', dates)
    .where('held_until', 'is not', null)
    .execute();
  return held.map((hold) => hold.id);
}
