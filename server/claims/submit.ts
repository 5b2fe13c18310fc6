import { DomainError } from '../../shared/errors.ts';
import { assertCharacterIsFree, assertHoursAreFree, timeConflict } from '../../shared/rules/conflicts.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { lastOf, type PlannedClaim, planSubmission, type SubmissionFacts } from '../../shared/rules/submission.ts';
import type { ClaimRow, Submission } from '../../shared/schemas/claim.ts';
import { DEFAULT_MEMBER_TYPE } from '../../shared/schemas/member-type.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import { serverSaveNow } from '../config/clock.ts';
import { readConfig } from '../config/queries.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/open.ts';
import { write } from '../db/write.ts';
import { activePeriod } from '../events/queries.ts';
import { type Admin, type Member, memberOfKey } from '../http/credentials.ts';
import { memberTypeOrFallback } from '../member-types/queries.ts';
import { findRespawns } from '../respawns/queries.ts';
import { recordClaims } from './changes.ts';
import { claimsCame, putMoved, tallyOf } from './counts.ts';
import { heldDays, takenRanges } from './facts.ts';
import { occupy } from './occupancy.ts';
import { claimRows, idsOnBoard, loadClaims } from './queries.ts';

/** Who submits: an admin for anybody, or whoever holds a key. */
export type Submitter = { role: 'admin'; admin: Admin } | { role: 'member'; access_key: string };

/**
 * Stores a submission's claims, all or none (R4.8).
 * @returns their rows as the board shows them
 * @throws DomainError the first rule that refuses it; nothing is written then
 */
export function submitClaims(
  ctx: Context,
  submitter: Submitter,
  submission: Submission,
  within: WithinSubmission = {},
): Promise<ClaimRow[]> {
  return write(ctx, async (tx, changes) => {
    // The key is read in the same transaction: one that was revoked a moment ago claims nothing.
    const actor = submitter.role === 'admin' ? submitter.admin : await memberOfKey(tx, submitter.access_key);
    await within.before?.(tx);
    const facts = await loadFacts(ctx, tx, actor, submission);
    const planned = planSubmission(submission.claims, facts);
    await assertRespawnsTakeClaims(tx, planned);
    const ids: number[] = [];
    for (const claim of planned) ids.push(await storeClaim(ctx, tx, claim, ids));
    const claims = await loadClaims(tx, { of: 'ids', ids });
    const onBoard = await idsOnBoard(ctx, tx, ids);
    for (const record of claims) if (onBoard.has(record.id)) changes.put({ kind: 'claim', record });
    await recordClaims(ctx, tx, changes, actor, 'claim_created', claims);
    putMoved(changes, await claimsCame(tx, tallyOf(claims)));
    const rows = await claimRows(tx, claims);
    await within.after?.(tx, rows);
    return rows;
  });
}

/** What else belongs into the transaction of a submission. */
export interface WithinSubmission {
  before?: (tx: Tx) => Promise<void>;
  after?: (tx: Tx, rows: ClaimRow[]) => Promise<void>;
}

async function loadFacts(ctx: Context, tx: Tx, actor: Admin | Member, submission: Submission): Promise<SubmissionFacts> {
  const typeName = actor.role === 'member' ? actor.member_type : submission.member_type || DEFAULT_MEMBER_TYPE;
  const { submission_enabled, horizon_days } = await readConfig(ctx, tx);
  const { date: today, hour } = serverSaveNow(ctx);
  return {
    submitter: actor,
    member_type: await memberTypeOrFallback(tx, typeName),
    submission_enabled,
    active_event: await activePeriod(tx),
    today,
    hour,
    horizon_days,
  };
}

/** R4.10: a respawn that is gone or disabled takes no claims. */
async function assertRespawnsTakeClaims(tx: Tx, planned: readonly PlannedClaim[]): Promise<void> {
  const wanted = [...new Set(planned.flatMap((claim) => claim.parts.map((part) => part.respawn_id)))];
  const found = new Map<number, Respawn>((await findRespawns(tx, { ids: wanted })).map((respawn) => [respawn.id, respawn]));
  for (const id of wanted) {
    const respawn = found.get(id);
    if (!respawn) throw new DomainError('respawn.notFound', { respawn_id: id });
    if (!respawn.is_enabled) throw new DomainError('respawn.disabled', { respawn_name: respawn.name });
  }
}

/** Writes one claim, its parts and what it occupies; `earlier` are the ids of this submission's claims so far. */
async function storeClaim(ctx: Context, tx: Tx, claim: PlannedClaim, earlier: readonly number[]): Promise<number> {
  if (!claim.is_secondary_claim) {
    assertCharacterIsFree(claim, await heldDays(tx, claim));
    assertHoursAreFree(claim, await takenRanges(tx, claim));
  }
  const { parts, dates, asked_start: _, ...fields } = claim;
  const character_key = nameKey(claim.character_name);
  const { id } = await tx
    .insertInto('claims')
    .values({
      ...fields,
      character_key,
      primary_claim_id: claim.is_secondary_claim ? await primaryOf(tx, claim, earlier) : null,
      created_at: ctx.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('claim_parts')
    .values(parts.map((part) => ({ ...part, claim_id: id, last_date: lastOf(claim) })))
    .execute();
  if (claim.is_secondary_claim) return id;
  const collision = await occupy(tx, { claim_id: id, character_key, parts, dates });
  if (collision?.of === 'hour') throw timeConflict(claim, collision.part, collision.date);
  if (collision) throw new DomainError('claim.characterHasClaim', { date: collision.date, character_name: claim.character_name });
  return id;
}

async function primaryOf(tx: Tx, claim: PlannedClaim, earlier: readonly number[]): Promise<number> {
  const { id } = await tx
    .selectFrom('claims')
    .select('id')
    .where('id', 'in', earlier)
    .where('character_key', '=', nameKey(claim.character_name))
    .where('date', claim.date === null ? 'is' : '=', claim.date)
    .where('is_secondary_claim', '=', 0)
    .executeTakeFirstOrThrow();
  return id;
}
