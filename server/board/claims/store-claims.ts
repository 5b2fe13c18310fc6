import { DomainError } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
import { type Beginning, isToConfirm } from '../../../shared/rules/confirm.ts';
import { timeConflict } from '../../../shared/rules/conflicts.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { lastOf, type PlannedClaim } from '../../../shared/rules/submission.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import {
  type BoundRows,
  inBatches,
  preparedRows,
  type Reading,
  type Tx,
} from '../../db/database.ts';
import type { ClaimPartsTable, ClaimsTable, Flag } from '../../db/schema.ts';
import { type AuthorizedCharacter, authorizedCharacter } from '../records/members.ts';
import type { GuildNow } from './board-view.ts';
import { claimRecord, type DatedClaim } from './claim-records.ts';
import type { ClaimWrite } from './claims-changed.ts';
import { type Collision, occupy } from './occupancy.ts';

/** A planned claim whose character may hold it. */
export interface AuthorizedClaim {
  planned: PlannedClaim;
  character: AuthorizedCharacter;
}

/** @throws DomainError session.banned, or character.banned if others than the characters themselves claim */
export async function authorizeClaims(
  tx: Tx,
  by: { role: string },
  planned: readonly PlannedClaim[],
): Promise<AuthorizedClaim[]> {
  const characters = new Map<string, AuthorizedCharacter>();
  for (const name of new Set(planned.map(({ character_name }) => character_name)))
    characters.set(name, await authorizedCharacter(tx, by, name));
  return planned.flatMap((claim) => {
    const character = characters.get(claim.character_name);
    return character ? { planned: claim, character } : [];
  });
}

interface StoreOptions {
  held_until?: string | null;
  event_name?: string | null;
  standing_id?: number | null;
}

/**
 * Writes claims with their parts and what they occupy, a statement a table for up to a thousand rows.
 * @param held_until of holds; null: they are claims, and parts that begin late enough have to be confirmed
 * @param event_name of a copied event, whose claims may be shown as occupied hours of the active one
 * @param standing_id of the standing claim that makes them; null: none does
 * @returns the claims in the given order
 * @throws DomainError claim.characterHasClaim, claim.timeConflict if a claim collides that the rules did not know of
 */
export async function storeClaims(
  { ctx, tx, guild, at }: ClaimWrite,
  claims: readonly AuthorizedClaim[],
  { held_until = null, event_name = null, standing_id = null }: StoreOptions = {},
): Promise<DatedClaim[]> {
  const planned = claims.map(({ planned, character: { character_name } }) => ({
    ...planned,
    character_name,
  }));
  const made = { created_at: at.toISOString(), held_until, standing_id };
  const primaries = planned.filter((claim) => !claim.is_secondary_claim);
  const secondaries = planned.filter((claim) => claim.is_secondary_claim);
  const idsOfPrimaries = await insertClaimRows(tx, primaries, made);
  const idsOfSecondaries = await insertClaimRows(tx, secondaries, {
    ...made,
    primaries: idsOfPrimaries,
  });
  const mustConfirm = needsConfirmation(ctx, guild);
  const stored = planned.map((claim) => {
    const id = (claim.is_secondary_claim ? idsOfSecondaries : idsOfPrimaries).get(
      nameAndDate(claim),
    );
    if (id === undefined) throw new Error('a claim was not stored');
    const parts = claim.parts.map((part) => {
      const isToConfirm = held_until === null && claim.date !== null && !claim.is_secondary_claim;
      return {
        ...part,
        to_confirm: flag(
          isToConfirm && mustConfirm({ date: claim.date ?? '', hour_start: part.hour_start }),
        ),
      };
    });
    return { planned: claim, parts, claim: claimRecord({ ...claim, parts, id, ...made }) };
  });
  const parts = stored.flatMap(({ planned, parts, claim }) =>
    parts.map((part) => ({ ...part, claim_id: claim.id, last_date: lastOf(planned) })),
  );
  for (const batch of inBatches(parts)) await insertParts(tx, batch);
  const occupations = stored
    .filter(({ claim }) => !claim.is_secondary_claim)
    .map(({ planned: { parts, dates, character_name }, claim }) => {
      return { claim_id: claim.id, character_key: nameKey(character_name), parts, dates };
    });
  const collision = await occupy(tx, occupations);
  if (collision) throw collisionRefusal(collision, stored);
  return stored.map(({ claim, planned }) => ({
    claim,
    event_name,
    first_date: planned.dates.reduce((a, b) => (a < b ? a : b)),
    last_date: lastOf(planned),
  }));
}

const flag = (is: boolean): Flag => (is ? 1 : 0);

function collisionRefusal(collision: Collision, stored: readonly { claim: Claim }[]): DomainError {
  const claim = stored.find(({ claim }) => claim.id === collision.claim_id)?.claim;
  if (!claim) throw new Error('the collision is of none of these claims');
  if (collision.type === 'hour') return timeConflict(claim, collision.part, collision.date);
  return new DomainError('claim.characterHasClaim', {
    date: collision.date,
    character_name: claim.character_name,
  });
}

/** Identifies a primary or secondary claim of a submission: a character has one of each on a date at most (R3.5). */
const nameAndDate = ({
  character_name,
  date,
}: Pick<PlannedClaim, 'character_name' | 'date'>): string => `${date} ${nameKey(character_name)}`;

/** @returns their ids by `nameAndDate` */
async function insertClaimRows(
  tx: Tx,
  claims: readonly PlannedClaim[],
  {
    primaries,
    ...made
  }: Pick<Claim, 'created_at' | 'held_until' | 'standing_id'> & {
    primaries?: ReadonlyMap<string, number>;
  },
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const batch of inBatches(claims)) {
    const rows = batch.map((claim) => {
      const fields = omit(claim, 'parts', 'dates', 'requested_start');
      const primary_claim_id = primaries?.get(nameAndDate(claim)) ?? null;
      return { ...fields, character_key: nameKey(claim.character_name), primary_claim_id, ...made };
    });
    for (const row of await insertClaims(tx, rows)) ids.set(nameAndDate(row), row.id);
  }
  return ids;
}

type NewClaim = Omit<ClaimsTable, 'id' | 'held_until' | 'standing_id'> &
  Pick<Claim, 'held_until' | 'standing_id'>;

const insertClaims = preparedRows((tx, rows: BoundRows<NewClaim>) =>
  tx
    .insertInto('claims')
    .values(
      rows.map((bound) => ({
        event_id: bound('event_id'),
        character_name: bound('character_name'),
        character_key: bound('character_key'),
        member_type: bound('member_type'),
        date: bound('date'),
        custom_duration: bound('custom_duration'),
        voucher_duration: bound('voucher_duration'),
        is_secondary_claim: bound('is_secondary_claim'),
        secondary_priority: bound('secondary_priority'),
        primary_claim_id: bound('primary_claim_id'),
        is_split_claim: bound('is_split_claim'),
        created_at: bound('created_at'),
        held_until: bound('held_until'),
        standing_id: bound('standing_id'),
      })),
    )
    .returning(['id', 'character_name', 'date'])
    .compile(),
);

const insertParts = preparedRows(
  (tx, rows: BoundRows<Omit<ClaimPartsTable, 'to_confirm'> & { to_confirm: Flag }>) =>
    tx
      .insertInto('claim_parts')
      .values(
        rows.map((bound) => ({
          claim_id: bound('claim_id'),
          part_number: bound('part_number'),
          respawn_id: bound('respawn_id'),
          hour_start: bound('hour_start'),
          hour_end: bound('hour_end'),
          last_date: bound('last_date'),
          to_confirm: bound('to_confirm'),
        })),
      )
      .compile(),
);

/** R9.24: whether a part that is claimed or restored now has to be confirmed, by when it begins. */
export function needsConfirmation(
  ctx: Reading,
  { confirm_enabled }: Pick<GuildNow, 'confirm_enabled'>,
): (begins: Beginning) => boolean {
  if (!confirm_enabled) return () => false;
  const now = ctx.now();
  const clock = serverSaveClock(ctx);
  return (begins) => isToConfirm(begins, now, clock);
}

/** R9.24: a whole claim with other hours stays confirmed, and counts as confirmed if they begin soon. */
export function stillToConfirm(
  ctx: Reading,
  { date, to_confirm }: Claim,
  { hour_start }: Pick<Claim, 'hour_start'>,
): Claim['to_confirm'] {
  return date !== null && isToConfirm({ date, hour_start }, ctx.now(), serverSaveClock(ctx))
    ? to_confirm
    : [];
}

/** R9.25. */
export async function markConfirmed(tx: Tx, claim_id: number, part_number: number): Promise<void> {
  await tx
    .updateTable('claim_parts')
    .set({ to_confirm: 0 })
    .where('claim_id', '=', claim_id)
    .where('part_number', '=', part_number)
    .execute();
}
