import { DomainError } from '../../../shared/errors.ts';
import type { Claim, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import type { Admin } from '../../auth/callers.ts';
import type { Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { findRespawns } from '../respawns/queries.ts';
import { affectedWaitlists } from '../waitlist/affected-waitlists.ts';
import { recordClaims } from './changes.ts';
import { claimsCame, claimsWent, putMoved, tallyOf } from './counts.ts';
import { endedNow, keepGivenUp } from './endings.ts';
import { readGuildNow } from './guild-now.ts';
import { holdAnew } from './hold-anew.ts';
import { tellUpdated } from './news.ts';
import { claimRows, loadDatedClaims } from './queries.ts';
import { showClaims } from './show.ts';

/**
 * Moves a claim to another spot; its dates and hours stay, and so does a secondary claim that was submitted with it.
 * @returns its row as the board shows it
 * @throws DomainError claim.notFound, claim.splitNotMoved, claim.sameSpot; respawn.notFound, respawn.disabled for where it is to go;
 * secondary.samePrimary for where the other one of the two is; claim.timeConflict for hours that somebody holds
 * there, hold.taken for those held for somebody in line; hold.notEdited for a hold
 */
export function moveClaim(ctx: Writing, admin: Admin, id: number, respawn_id: number): Promise<ClaimRow> {
  return write(ctx, async (tx, changes) => {
    const [found] = await loadDatedClaims(tx, { of: 'ids', ids: [id] });
    if (!found) throw new DomainError('claim.notFound');
    const { claim: before, last_date } = found;
    if (before.is_held) throw new DomainError('hold.notEdited');
    if (before.is_split_claim) throw new DomainError('claim.splitNotMoved');
    if (respawn_id === before.respawn_id) throw new DomainError('claim.sameSpot');
    const to = await spotFor(tx, id, respawn_id);
    const after: Claim = { ...before, respawn_id };
    const [from] = await claimRows(tx, [before]);
    const { hour_start, hour_end } = before;
    const given = { claim_id: id, respawn_id: before.respawn_id, part_number: 1, hour_start, hour_end, last_date };
    await keepGivenUp(tx, [given], endedNow(ctx, 'edited', admin));
    await tx.updateTable('claim_parts').set({ respawn_id }).where('claim_id', '=', id).execute();
    if (!before.is_secondary_claim) await holdAnew(tx, after);
    changes.collect(affectedWaitlists).hours(before.respawn_id, before.date);
    const went = await claimsWent(tx, tallyOf([before]));
    const came = await claimsCame(tx, tallyOf([after]));
    showClaims(changes, [{ ...found, claim: after }], await readGuildNow(ctx, tx));
    // What it went from and came to; in its event there are as many as before.
    putMoved(changes, { respawns: [...went.respawns, ...came.respawns], events: [] });
    await tellUpdated(tx, changes, [{ before, claim: after }], admin.username);
    const rows = await claimRows(tx, [after]);
    const changed = { respawn_name: { from: from?.respawn_name ?? '', to: to.name } };
    await recordClaims(ctx, tx, changes, admin, 'claim_updated', [after], rows, (claim) => ({ details: { ...claim, changed } }));
    const [row] = rows;
    if (!row) throw new DomainError('claim.notFound');
    return row;
  });
}

/** Where a claim is to go: neither gone nor disabled, nor where the claim is that it was submitted with. */
async function spotFor(tx: Tx, claim_id: number, respawn_id: number): Promise<Respawn> {
  const [respawn] = await findRespawns(tx, { ids: [respawn_id] });
  if (!respawn) throw new DomainError('respawn.notFound');
  if (!respawn.is_enabled) throw new DomainError('respawn.disabled', { respawn_name: respawn.name });
  const primary = tx.selectFrom('claims').select('primary_claim_id').where('id', '=', claim_id);
  const secondaries = tx.selectFrom('claims').select('id').where('primary_claim_id', '=', claim_id);
  for (const ids of [primary, secondaries]) {
    const there = await tx.selectFrom('claim_parts').select('respawn_id').where('claim_id', 'in', ids).execute();
    if (there.some((part) => part.respawn_id === respawn_id)) throw new DomainError('secondary.samePrimary');
  }
  return respawn;
}
