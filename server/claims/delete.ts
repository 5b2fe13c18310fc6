import { DomainError } from '../../shared/errors.ts';
import type { Context } from '../context.ts';
import { write } from '../db/write.ts';
import type { Admin } from '../http/credentials.ts';
import { recordClaims } from './changes.ts';
import { idsOnBoard, loadClaims } from './queries.ts';

/**
 * Deletes a claim whole, a split one with both parts; what it occupied is free at once.
 * @throws DomainError claim.notFound
 */
export async function deleteClaim(ctx: Context, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (tx, changes) => {
    const [claim] = await loadClaims(tx, { of: 'ids', ids: [id] });
    if (!claim) throw new DomainError('claim.notFound');
    const onBoard = await idsOnBoard(ctx, tx, [id]);
    await tx.deleteFrom('claims').where('id', '=', id).execute();
    if (onBoard.has(id)) changes.remove('claim', id);
    await recordClaims(ctx, tx, changes, admin, 'claim_deleted', [claim], claim.event_id);
  });
}
