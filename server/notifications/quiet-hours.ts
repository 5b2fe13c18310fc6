import type { QuietHours } from '../../shared/rules/quiet-hours.ts';
import type { ChangeRecorder } from '../db/change-set.ts';
import type { Db, Tx } from '../db/open.ts';
import { inBatches } from '../db/queries.ts';

/** Characters that a statement names at most. */
const NAMES_A_STATEMENT = 500;

/** The quiet hours of those characters that have any, by their keys. */
export async function quietHoursOf(db: Db | Tx, character_keys: Iterable<string>): Promise<Map<string, QuietHours>> {
  const found = new Map<string, QuietHours>();
  for (const batch of inBatches(new Set(character_keys), NAMES_A_STATEMENT)) {
    const rows = await db
      .selectFrom('push_preferences')
      .select(['character_key', 'quiet_from', 'quiet_until', 'time_zone'])
      .where('character_key', 'in', batch)
      .where('quiet_from', 'is not', null)
      .execute();
    for (const { character_key, ...hours } of rows) found.set(character_key, hours);
  }
  return found;
}

/** The waitlist's part of a change of quiet hours (R9.13): it skips members during them. */
export interface QuietHoursHook {
  isSkipped: (tx: Tx, character_key: string) => Promise<boolean>;
  onChange: (tx: Tx, changes: ChangeRecorder, character_key: string) => Promise<void>;
}
