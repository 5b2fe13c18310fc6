import { z } from 'zod';
import type { ActivityAction } from '../../../shared/activity-actions.ts';
import { DomainError, type Params } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
import { isWithinEvent } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import { date, id } from '../../../shared/schemas/fields.ts';
import type { RecordUndo } from '../../activity/undo.ts';
import { keepUndo } from '../../activity/undo-store.ts';
import type { KeptUndo } from '../../auth/activity-log.ts';
import type { Tx } from '../../db/database.ts';
import { keptEntriesOn } from '../kept-entries.ts';
import { findEvent } from '../records/guild.ts';
import { authorizedCharacter } from '../records/members.ts';
import { findRespawns } from '../records/respawns.ts';
import { datesOf, refusalNaming, refusalNamingIds } from './claim-facts.ts';
import { type ClaimChange, type DatedClaim, loadDatedClaims } from './claim-records.ts';
import { beginClaimWrite, type ClaimWrite, CONFIRMATION, claimsChanged } from './claims-changed.ts';
import { partsToBegin } from './holders.ts';
import { freeClaim, holdersIn } from './occupancy.ts';
import { occupyWithoutOffers, type WithdrawOffers } from './restore.ts';
import { needsConfirmation } from './store-claims.ts';

/* The undo of an admin's edit of a whole claim: of its hours, date or spot, perhaps with its character. */

/** Whose a claim was before the edit. */
const holder = z.object({
  character_name: z.string(),
  member_type: z.string(),
  voucher_duration: z.number().int(),
  standing_id: id.nullable(),
});

const place = z.object({
  id,
  date: date.nullable(),
  respawn_id: id,
  hour_start: z.number().int(),
  hour_end: z.number().int(),
  custom_duration: z.number().int().nullable(),
  to_confirm: z.array(z.union([z.literal(1), z.literal(2)])),
  /** Of an edit that changed it. */
  holder: holder.exactOptional(),
});
type Place = z.infer<typeof place>;

const editedClaim = z.object({
  kind: z.literal('claim_edit'),
  id,
  character_name: z.string(),
  respawn_name: z.string(),
  /** The claim, then the secondary claims that followed it. */
  before: z.array(place),
  /** A fingerprint of the edited claims, to notice later changes. */
  after: z.string(),
  /** The newest entry of the claim history before the edit; 0: none. */
  last_ending: z.number().int(),
});
type EditedClaim = z.infer<typeof editedClaim>;

/** Without confirmations, which are no edits. */
const fingerprintOf = (claims: readonly DatedClaim[]): string =>
  JSON.stringify(
    claims
      .map(({ claim }) => [
        claim.id,
        nameKey(claim.character_name),
        claim.date,
        claim.respawn_id,
        claim.hour_start,
        claim.hour_end,
      ])
      .sort(([one], [other]) => Number(one) - Number(other)),
  );

/** Call it once the rows are written, before `claimsChanged`. @param changes the edited claim, then its followers */
export async function keepEdit(
  unit: ClaimWrite,
  changes: readonly ClaimChange[],
): Promise<KeptUndo> {
  const { tx } = unit;
  const before = changes.flatMap((change) => (change.before ? [change.before.claim] : []));
  const after = changes.flatMap((change) => (change.after ? [change.after] : []));
  const [claim] = before;
  if (!claim) throw new Error('an edit changes a claim');
  const [respawn] = await findRespawns(tx, { ids: [claim.respawn_id] });
  const [edited] = after;
  const isRenamed = edited?.claim.character_name !== claim.character_name;
  const record: EditedClaim = {
    kind: 'claim_edit',
    id: claim.id,
    character_name: claim.character_name,
    respawn_name: respawn?.name ?? '',
    before: before.map((each) => ({
      ...place.parse(each),
      ...(isRenamed && { holder: holder.parse(each) }),
    })),
    after: fingerprintOf(after),
    last_ending: await lastEnding(tx),
  };
  const waits =
    edited && (isRenamed || edited.claim.date !== claim.date)
      ? await keptEntriesOn(
          tx,
          nameKey(edited.claim.character_name),
          await datesOf(tx, edited.claim),
        )
      : [];
  return keepUndo(unit, { records: [record, ...waits] });
}

/** The newest entry of the claim history; 0: none. */
export async function lastEnding(tx: Tx): Promise<number> {
  const newest = tx
    .selectFrom('claim_endings')
    .select(({ fn }) => fn.max<number | null>('id').as('id'));
  return (await newest.executeTakeFirst())?.id ?? 0;
}

/** Sets edited claims back, unless they were changed since. @param withdrawOffers of hours that the edit freed */
export const editUndo = (withdrawOffers: WithdrawOffers): RecordUndo<EditedClaim> => ({
  kinds: ['claim_edit'],
  capability: 'claims',
  record: editedClaim,
  restore: async ({ admin, entry_id, ...base }, records) => {
    if (records.length > 0) {
      const unit = await beginClaimWrite(base, admin);
      for (const record of records) await setBack(unit, record, { entry_id, withdrawOffers });
    }
    // `claimsChanged` has shown the claims.
    return async () => undefined;
  },
});

interface Undoing {
  entry_id: number;
  withdrawOffers: WithdrawOffers;
}

/** @throws DomainError activity.changedBy, activity.goneMeanwhile, activity.hoursTaken, event.claimsOutside, character.banned */
async function setBack(
  unit: ClaimWrite,
  record: EditedClaim,
  { entry_id, withdrawOffers }: Undoing,
): Promise<void> {
  const { tx } = unit;
  const { id: claim_id, before, respawn_name } = record;
  const now = await loadDatedClaims(tx, { type: 'ids', ids: before.map((each) => each.id) });
  if (fingerprintOf(now) !== record.after)
    throw await changedRefusal(tx, { claim_id, character_name: record.character_name, entry_id });
  const edited = now.find(({ claim }) => claim.id === claim_id);
  const [first] = before;
  if (!edited || !first) throw new Error('the compared claims are those that were edited');
  const { character_name } = first.holder ?? edited.claim;
  const isGiven = nameKey(character_name) !== nameKey(edited.claim.character_name);
  if (isGiven && (await isGivenOn(tx, record, edited.claim.character_name)))
    throw await changedRefusal(tx, { claim_id, character_name: record.character_name, entry_id });
  await authorizedCharacter(tx, unit.actor, character_name);
  const [respawn] = await findRespawns(tx, { ids: [first.respawn_id] });
  if (!respawn) throw new DomainError('activity.goneMeanwhile', { list: respawn_name });
  const event = edited.claim.event_id === null ? null : await findEvent(tx, edited.claim.event_id);
  if (event && first.date !== null && !isWithinEvent(first.date, event)) {
    const claims = [{ ...edited.claim, ...omit(first, 'id', 'to_confirm') }];
    throw await refusalNaming(tx, 'event.claimsOutside', { claims, count: 1 });
  }
  const changes: ClaimChange[] = [];
  for (const each of now) {
    const earlier = before.find((place) => place.id === each.claim.id);
    if (!earlier) continue;
    const after = await storePlace(unit, each, earlier);
    changes.push({ before: each, after, ...(each !== edited && { follows: true as const }) });
  }
  const again = changes.find(({ before }) => before === edited)?.after;
  if (again && !again.claim.is_secondary_claim)
    await occupyAgain(unit, again.claim, withdrawOffers);
  await claimsChanged(unit, changes, {
    cause: isGiven ? 'moved_back' : 'edit_undone',
    last_ending: record.last_ending,
  });
}

/** Whether claims that were given to a character have had another holder since. */
export async function isGivenOn(
  tx: Tx,
  { before, last_ending }: { before: readonly { id: number }[]; last_ending: number },
  character_name: string,
): Promise<boolean> {
  const ids = before.map((claim) => claim.id);
  const endings = await tx
    .selectFrom('claim_endings')
    .select('to_name')
    .where('claim_id', 'in', ids)
    .where('id', '>', last_ending)
    .execute();
  return endings.some(({ to_name }) => nameKey(to_name ?? '') !== nameKey(character_name));
}

async function storePlace(
  { ctx, tx, guild }: ClaimWrite,
  { claim, ...dates }: DatedClaim,
  earlier: Place,
): Promise<DatedClaim> {
  const { to_confirm: unconfirmed, holder } = earlier;
  const { custom_duration, date, ...part } = omit(earlier, 'id', 'to_confirm', 'holder');
  const mustConfirm = needsConfirmation(ctx, guild);
  const isToConfirm =
    unconfirmed.length > 0 &&
    date !== null &&
    (holder
      ? guild.confirm_enabled && partsToBegin(ctx, { ...claim, ...part, date }).length > 0
      : mustConfirm({ date, hour_start: part.hour_start }));
  const to_confirm: Place['to_confirm'] = isToConfirm ? [1] : [];
  const last_date = date ?? dates.last_date;
  const character_key = nameKey(holder?.character_name ?? claim.character_name);
  await tx
    .updateTable('claims')
    .set({ date, custom_duration, ...holder, character_key })
    .where('id', '=', claim.id)
    .execute();
  await tx
    .updateTable('claim_parts')
    .set({ ...part, last_date, to_confirm: isToConfirm ? 1 : 0 })
    .where('claim_id', '=', claim.id)
    .execute();
  return {
    ...dates,
    claim: { ...claim, ...holder, ...part, custom_duration, date, to_confirm },
    first_date: date ?? dates.first_date,
    last_date,
  };
}

async function occupyAgain(
  unit: ClaimWrite,
  claim: Claim,
  withdrawOffers: WithdrawOffers,
): Promise<void> {
  const { tx } = unit;
  const { respawn_id, hour_start, hour_end } = claim;
  await freeClaim(tx, claim.id);
  const occupation = {
    claim_id: claim.id,
    character_key: nameKey(claim.character_name),
    parts: [{ part_number: 1, respawn_id, hour_start, hour_end }],
    dates: await datesOf(tx, claim),
  };
  const holders = holdersIn(await occupyWithoutOffers(unit, [occupation], withdrawOffers));
  if (holders.length > 0) throw await refusalNamingIds(tx, 'activity.hoursTaken', holders);
}

/** Actions whose entries name a claim that they leave as it is. */
const UNCHANGED_BY: ActivityAction[] = [CONFIRMATION, 'transfer_offered', 'transfer_ended'];

/** Why an edit can't be undone: by whom and when the claim was changed or ended since. */
export async function changedRefusal(
  tx: Tx,
  {
    claim_id,
    character_name: list,
    entry_id,
  }: { claim_id: number; character_name: string; entry_id: number },
): Promise<DomainError> {
  const claim = await tx
    .selectFrom('claims')
    .select('id')
    .where('id', '=', claim_id)
    .executeTakeFirst();
  const change =
    (claim ? null : await lastEnd(tx, claim_id)) ?? (await lastChange(tx, claim_id, entry_id));
  return change
    ? new DomainError('activity.changedBy', { list, ...change })
    : new DomainError('activity.changedMeanwhile', { list });
}

interface ChangedBy extends Params {
  by: string;
  at: string;
}

async function lastEnd(tx: Tx, claim_id: number): Promise<ChangedBy | null> {
  const ends = tx
    .selectFrom('claim_endings')
    .select(['ended_by', 'ended_at'])
    .where('claim_id', '=', claim_id);
  const last = await ends.orderBy('id', 'desc').limit(1).executeTakeFirst();
  return last?.ended_by ? { by: last.ended_by, at: last.ended_at } : null;
}

/** By the log. Entries are deleted by age, but these are newer than the one that is undone. */
async function lastChange(tx: Tx, claim_id: number, entry_id: number): Promise<ChangedBy | null> {
  const last = await tx
    .selectFrom('activity')
    .select(['actor_name', 'timestamp'])
    .where('id', '>', entry_id)
    .where('action', 'not in', UNCHANGED_BY)
    .where('details', 'like', `%"claim_id":${claim_id},%`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.actor_name ? { by: last.actor_name, at: last.timestamp } : null;
}
