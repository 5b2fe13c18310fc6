import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import type { RecordUndo } from '../../activity/undo.ts';
import { changedRecord } from '../../activity/undo-store.ts';
import { readByIds } from '../../db/database.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { firstNames } from '../claims/claim-facts.ts';
import { freedHours } from '../freed-hours.ts';

const excused = changedRecord('no_show', { excused_by: z.string().nullable() });
type ExcusedNoShow = z.infer<typeof excused>;

/** No-shows before an admin excuses them, for the undo. */
export const excusedRecords = (
  parts: readonly { id: number; character_name: string }[],
  excused_by: string,
): ExcusedNoShow[] =>
  parts.map(({ id, character_name: name }) => {
    return {
      kind: 'no_show',
      id,
      name,
      changed: { before: { excused_by: null }, after: { excused_by } },
    };
  });

/** The members are sent what counts now, and their waitlists are checked: they may get offers again. */
export function missedChanged({ changes }: Unit, character_keys: readonly string[]): void {
  changes.sendOwn(character_keys);
  for (const key of character_keys) changes.collect(freedHours).of(key);
}

/** Makes excused no-shows count again. */
export const noShowUndo: RecordUndo<ExcusedNoShow> = {
  kinds: ['no_show'],
  capability: 'claims',
  record: excused,
  restore: async (unit, records) => {
    const { tx } = unit;
    const ids = records.map(({ id }) => id);
    const rows = await readByIds(ids, (some) =>
      tx
        .selectFrom('claim_endings')
        .select(['id', 'character_key', 'excused_by'])
        .where('id', 'in', some)
        .execute(),
    );
    const now = new Map(rows.map((row) => [row.id, row]));
    const others = records.filter(
      ({ id, changed: { after } }) => now.get(id)?.excused_by !== after.excused_by,
    );
    if (others.length > 0)
      throw new DomainError('activity.changedMeanwhile', {
        list: firstNames(others.map(({ name }) => name)),
      });
    await readByIds(ids, (some) =>
      tx
        .updateTable('claim_endings')
        .set({ excused_by: null })
        .where('id', 'in', some)
        .returning('id')
        .execute(),
    );
    return async () => missedChanged(unit, [...new Set(rows.map((row) => row.character_key))]);
  },
};
