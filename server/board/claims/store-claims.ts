import { DomainError } from '../../../shared/errors.ts';
import { type Beginning, isToConfirm } from '../../../shared/rules/confirm.ts';
import { timeConflict } from '../../../shared/rules/conflicts.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { lastOf, type PlannedClaim, type PlannedPart } from '../../../shared/rules/submission.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import { inBatches } from '../../db/batches.ts';
import type { ClaimPartsTable, ClaimsTable } from '../../db/claim-tables.ts';
import type { Flag } from '../../db/columns.ts';
import type { Tx } from '../../db/open.ts';
import { type BoundRows, preparedRows } from '../../db/prepared.ts';
import type { Writing } from '../../jobs/writing.ts';
import { serverSaveClock } from '../config/clock.ts';
import type { GuildNow } from './board-view.ts';
import { recordOf } from './claim-records.ts';
import { type Collision, occupy } from './occupancy.ts';

/** A claim that was just stored, as the board has it, and as it was planned. */
export interface Stored {
  planned: PlannedClaim;
  claim: Claim;
}

/**
 * Writes the claims of a submission, with what they occupy: a statement a table, for some thousand rows each.
 * @param held_until of a hold; null: they are claimed
 * @param isToConfirm which parts their holders have to confirm
 * @returns them in their order
 * @throws DomainError claim.characterHasClaim, or that hours are taken, by whatever the rules were not told of
 */
export async function storeClaims(
  tx: Tx,
  planned: readonly PlannedClaim[],
  created_at: string,
  held_until: string | null = null,
  isToConfirm: (claim: PlannedClaim, part: PlannedPart) => boolean = () => false,
): Promise<Stored[]> {
  const primaries = planned.filter((claim) => !claim.is_secondary_claim);
  const secondaries = planned.filter((claim) => claim.is_secondary_claim);
  const idsOfPrimaries = await insertClaimRows(tx, primaries, { created_at, held_until }, new Map());
  const idsOfSecondaries = await insertClaimRows(tx, secondaries, { created_at, held_until }, idsOfPrimaries);
  const stored = planned.map((claim) => {
    const id = (claim.is_secondary_claim ? idsOfSecondaries : idsOfPrimaries).get(nameAndDate(claim));
    if (id === undefined) throw new Error('a claim was not stored');
    const parts = claim.parts.map((part) => ({ ...part, to_confirm: flag(isToConfirm(claim, part)) }));
    return { planned: claim, claim: recordOf({ ...claim, parts, id, created_at, held_until }) };
  });
  const parts = stored.flatMap(({ planned, claim }) =>
    planned.parts.map((part) => {
      const to_confirm = flag(claim.to_confirm.some((number) => number === part.part_number));
      return { ...part, claim_id: claim.id, last_date: lastOf(planned), to_confirm };
    }),
  );
  for (const batch of inBatches(parts)) await insertParts(tx, batch);
  const occupations = stored
    .filter(({ claim }) => !claim.is_secondary_claim)
    .map(({ planned: { parts, dates, character_name }, claim }) => {
      return { claim_id: claim.id, character_key: nameKey(character_name), parts, dates };
    });
  const collision = await occupy(tx, occupations);
  if (collision) throw refusalOf(collision, stored);
  return stored;
}

const flag = (is: boolean): Flag => (is ? 1 : 0);

function refusalOf(collision: Collision, stored: readonly Stored[]): DomainError {
  const claim = stored.find(({ claim }) => claim.id === collision.claim_id)?.claim;
  if (!claim) throw new Error('nothing that was stored collided');
  if (collision.of === 'hour') return timeConflict(claim, collision.part, collision.date);
  return new DomainError('claim.characterHasClaim', { date: collision.date, character_name: claim.character_name });
}

/** A character's claims of one submission are on different dates (R3.5), the secondary ones beside the primary ones. */
const nameAndDate = ({ character_name, date }: Pick<PlannedClaim, 'character_name' | 'date'>): string =>
  `${date} ${nameKey(character_name)}`;

/** @returns their ids by `nameAndDate` */
async function insertClaimRows(
  tx: Tx,
  claims: readonly PlannedClaim[],
  made: Pick<Claim, 'created_at' | 'held_until'>,
  primaries: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const batch of inBatches(claims)) {
    const rows = batch.map((claim) => {
      const { parts: _, dates: __, asked_start: ___, ...fields } = claim;
      const primary_claim_id = primaries.get(nameAndDate(claim)) ?? null;
      return { ...fields, character_key: nameKey(claim.character_name), primary_claim_id, ...made };
    });
    for (const row of await insertClaims(tx, rows)) ids.set(nameAndDate(row), row.id);
  }
  return ids;
}

type NewClaim = Omit<ClaimsTable, 'id' | 'held_until'> & Pick<Claim, 'held_until'>;

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
      })),
    )
    .returning(['id', 'character_name', 'date'])
    .compile(),
);

const insertParts = preparedRows((tx, rows: BoundRows<Omit<ClaimPartsTable, 'to_confirm'> & { to_confirm: Flag }>) =>
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

type Ctx = Pick<Writing, 'env' | 'now'>;
type Setting = Pick<GuildNow, 'confirm_enabled'>;

/** R9.24: whether what is claimed now, or stands again from now on, and begins then has to be confirmed. */
export function isJudgedNow(ctx: Ctx, { confirm_enabled }: Setting): (begins: Beginning) => boolean {
  if (!confirm_enabled) return () => false;
  const [now, clock] = [ctx.now(), serverSaveClock(ctx)];
  return (begins) => isToConfirm(begins, now, clock);
}

/** R9.24: which parts of a submission have to be confirmed. */
export function judgeOf(ctx: Ctx, guild: Setting): (claim: PlannedClaim, part: PlannedPart) => boolean {
  const isJudged = isJudgedNow(ctx, guild);
  return ({ date, is_secondary_claim }, { hour_start }) => date !== null && !is_secondary_claim && isJudged({ date, hour_start });
}

/** R9.24: of a whole claim that gets other hours: confirmed it stays so, and it counts as confirmed where these begin soon. */
export function stillToConfirm(ctx: Ctx, { date, to_confirm }: Claim, { hour_start }: Pick<Claim, 'hour_start'>): Claim['to_confirm'] {
  return date !== null && isToConfirm({ date, hour_start }, ctx.now(), serverSaveClock(ctx)) ? to_confirm : [];
}

/** R9.25: nothing is due of a part any more. */
export async function countAsConfirmed(tx: Tx, claim_id: number, part_number: number): Promise<void> {
  await tx
    .updateTable('claim_parts')
    .set({ to_confirm: 0 })
    .where('claim_id', '=', claim_id)
    .where('part_number', '=', part_number)
    .execute();
}
