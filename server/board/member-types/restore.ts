import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { DeletedRow, UndoRecord } from '../../activity/undo-rows.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { affectedWaitlists } from '../waitlist/affected-waitlists.ts';
import { findMemberType, present, rankTaken } from './queries.ts';

/** The row of a member type that is about to be deleted, for the undo of it: keys and claims keep its name, and so need none. */
export async function deletedMemberType(tx: Tx, member_type: string): Promise<UndoRecord[]> {
  const rows = await tx.selectFrom('member_types').selectAll().where('member_type', '=', member_type).execute();
  return rows.map(({ name_key: _, ...deleted }) => ({ kind: 'member_type', deleted }));
}

/**
 * Puts deleted member types back: whoever has a key with the name of one has what it gives again.
 * @throws DomainError activity.typeNameTaken, activity.rankTaken
 */
export async function restoreMemberTypes(tx: Tx, changes: ChangeRecorder, types: readonly DeletedRow<'member_type'>[]): Promise<void> {
  for (const row of types) {
    const name_key = nameKey(row.member_type);
    const other = await findMemberType(tx, row.member_type);
    if (other) throw new DomainError('activity.typeNameTaken', { list: other.member_type });
    const record = present({ ...row, name_key });
    const taken = await rankTaken(tx, record);
    if (taken) throw new DomainError('activity.rankTaken', taken);
    await tx
      .insertInto('member_types')
      .values({ ...row, name_key })
      .execute();
    changes.put({ kind: 'member_type', record });
    // Of it may be some who wait already.
    changes.collect(affectedWaitlists).all();
  }
}
