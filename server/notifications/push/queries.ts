import type { Selectable } from 'kysely';
import type { QuietHours } from '../../../shared/rules/quiet-hours.ts';
import { inBatches } from '../../db/batches.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { PushSubscriptionsTable } from '../../db/push-tables.ts';

export type StoredSubscription = Selectable<PushSubscriptionsTable>;

/** Through whom a browser is sent notices: its push service's host. */
export const serviceOf = ({ endpoint }: Pick<StoredSubscription, 'endpoint'>): string => new URL(endpoint).host;

/** Characters that a statement names at most. */
const NAMES_A_STATEMENT = 500;

/** Browsers whose members' keys open the board: neither revoked, nor of a banned character. */
const open = (db: Db | Tx) =>
  db
    .selectFrom('push_subscriptions')
    .innerJoin('access_keys', 'access_keys.id', 'push_subscriptions.access_key_id')
    .selectAll('push_subscriptions')
    .where('access_keys.is_revoked', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('bans').select('bans.created_at').whereRef('bans.character_key', '=', 'push_subscriptions.character_key'))),
    );

/** The browsers of some characters, by their keys. */
export async function subscriptionsOf(db: Db | Tx, character_keys: Iterable<string>): Promise<Map<string, StoredSubscription[]>> {
  const found: StoredSubscription[] = [];
  for (const some of inBatches(new Set(character_keys), NAMES_A_STATEMENT)) {
    found.push(...(await open(db).where('push_subscriptions.character_key', 'in', some).orderBy('push_subscriptions.id').execute()));
  }
  return Map.groupBy(found, ({ character_key }) => character_key);
}

/** The quiet hours of those among some characters who have any, by their keys. */
export async function quietHoursOf(db: Db | Tx, character_keys: Iterable<string>): Promise<Map<string, QuietHours>> {
  const found = new Map<string, QuietHours>();
  for (const some of inBatches(new Set(character_keys), NAMES_A_STATEMENT)) {
    const rows = db.selectFrom('push_preferences').select(['character_key', 'quiet_from', 'quiet_until', 'time_zone']);
    const quiet = rows.where('character_key', 'in', some).where('quiet_from', 'is not', null);
    for (const { character_key, ...hours } of await quiet.execute()) found.set(character_key, hours);
  }
  return found;
}

/** One of them; null where it is gone, or nothing is to be sent to it. */
export async function findSubscription(db: Db, id: number): Promise<StoredSubscription | null> {
  return (await open(db).where('push_subscriptions.id', '=', id).executeTakeFirst()) ?? null;
}
