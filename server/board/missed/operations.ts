import { DomainError } from '../../../shared/errors.ts';
import type { Excused } from '../../../shared/schemas/missed-claim.ts';
import { keepUndo } from '../../activity/undo-store.ts';
import { logActivity } from '../../auth/activity-log.ts';
import { type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { excusedRecords, missedChanged } from './restore.ts';

/**
 * Excuses a no-show, which then doesn't count (R9.29): of a split claim all parts that were missed on its date.
 * @param id of a part in the claim history
 * @throws DomainError noShow.notFound, noShow.alreadyExcused
 */
export function excuseNoShow(ctx: Writing, admin: Admin, id: number): Promise<Excused> {
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const noShows = tx.selectFrom('claim_endings').selectAll().where('reason', '=', 'no_show');
    const named = await noShows.where('id', '=', id).executeTakeFirst();
    if (!named) throw new DomainError('noShow.notFound');
    const { claim_id, character_name, character_key, first_date, excused_by: by } = named;
    if (by !== null) throw new DomainError('noShow.alreadyExcused', { by });
    const parts = await noShows
      .where('claim_id', '=', claim_id)
      .where('character_key', '=', character_key)
      .where('first_date', '=', first_date)
      .where('excused_by', 'is', null)
      .orderBy('part_number')
      .execute();
    const ids = parts.map((part) => part.id);
    const undo = await keepUndo(unit, { records: excusedRecords(parts, admin.username) });
    await tx
      .updateTable('claim_endings')
      .set({ excused_by: admin.username })
      .where('id', 'in', ids)
      .execute();
    const places = parts.map(({ respawn_id, respawn_name, hour_start, hour_end }) => {
      return { respawn_id, respawn_name, hour_start, hour_end };
    });
    const activity_id = await logActivity(unit, admin, {
      action: 'no_show_excused',
      details: { claim_id, character_name, date: first_date, places },
      undo,
    });
    missedChanged(unit, [character_key]);
    return { ids, activity_id };
  });
}
