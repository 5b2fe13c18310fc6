import type { LastClaim } from '../../shared/schemas/access-key.ts';
import type { PageQuery } from '../../shared/schemas/fields.ts';
import { type Db, pageBounds } from '../db/database.ts';

/** The last claim of each key's character, archived or not, without hours that are held: by indexes of (character, date), so that it does not grow with history. */
export async function lastClaims(db: Db, page: PageQuery = {}): Promise<LastClaim[]> {
  const { most, last_id } = pageBounds(page);
  const rows = await db
    .selectFrom('access_keys as k')
    .select(({ selectFrom }) => [
      'k.id',
      selectFrom('claims')
        .select(({ fn }) => fn.max('date').as('date'))
        .whereRef('claims.character_key', '=', 'k.character_key')
        .where('claims.held_until', 'is', null)
        .as('dated'),
      // A claim of a whole event has no date of its own.
      selectFrom('claims')
        .innerJoin('events', 'events.id', 'claims.event_id')
        .select(({ fn }) => fn.max('events.end_time').as('end_time'))
        .whereRef('claims.character_key', '=', 'k.character_key')
        .where('claims.date', 'is', null)
        .where('claims.held_until', 'is', null)
        .as('whole'),
      selectFrom('archived_claims')
        .select(({ fn }) => fn.max('last_date').as('last_date'))
        .whereRef('archived_claims.character_key', '=', 'k.character_key')
        .as('archived'),
    ])
    .where('k.id', '<=', last_id)
    .orderBy('k.id', 'desc')
    .limit(most)
    .execute();
  return rows.map(({ id, dated, whole, archived }) => ({
    id,
    last_claim_date:
      [dated, whole?.slice(0, 'YYYY-MM-DD'.length), archived]
        .filter((date) => date != null)
        .sort()
        .at(-1) ?? null,
  }));
}
