import type { Db, Tx } from '../../db/open.ts';

/** Where a part of a claim begins. */
export interface Beginning {
  date: string;
  hour_start: number;
}

/** Somebody whose hunt begins, with a browser that can be told. */
export interface Hunter extends Beginning {
  character_key: string;
  character_name: string;
  claim_id: number;
  part_number: number;
  respawn_name: string;
  hour_end: number;
  to_confirm: boolean;
}

/** Characters that are looked up at once. */
const CHARACTERS_A_TURN = 500;

/**
 * Who hunts from an hour on, part by part, also in events whose claims have no dates of their own: the days of those alone that
 * are told anything, of whom there are few, however many claims there are. Not what is only held, nor second choices, which keep
 * nothing for anybody. At the start only who has still to confirm.
 * @param most the look-up ends once there are so many
 */
export async function huntersOf(
  db: Db | Tx,
  { beginnings }: { beginnings: readonly Beginning[] },
  at: 'before' | 'start',
  most = Number.POSITIVE_INFINITY,
): Promise<Hunter[]> {
  const found: Hunter[] = [];
  for (let after = ''; found.length < most; ) {
    const some = await db
      .selectFrom('push_subscriptions')
      .select('character_key')
      .distinct()
      .where('character_key', '>', after)
      .orderBy('character_key')
      .limit(CHARACTERS_A_TURN)
      .execute();
    const keys = some.map(({ character_key }) => character_key);
    for (const beginning of keys.length > 0 ? beginnings : []) found.push(...(await huntersAmong(db, keys, beginning, at)));
    after = keys[CHARACTERS_A_TURN - 1] ?? '';
    if (after === '') break;
  }
  return found;
}

async function huntersAmong(
  db: Db | Tx,
  keys: readonly string[],
  { date, hour_start }: Beginning,
  at: 'before' | 'start',
): Promise<Hunter[]> {
  const rows = await db
    .selectFrom('occupied_days')
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select([
      'claims.character_key',
      'claims.character_name',
      'claims.id as claim_id',
      'part_number',
      'hour_start',
      'hour_end',
      'to_confirm',
    ])
    .select('respawns.name as respawn_name')
    .where('occupied_days.character_key', 'in', keys)
    .where('occupied_days.date', '=', date)
    .where('hour_start', '=', hour_start)
    .where('held_until', 'is', null)
    .where(({ eb }) => (at === 'start' ? eb('to_confirm', '=', 1) : eb.lit(true)))
    .orderBy('claims.id')
    .execute();
  return rows.map(({ to_confirm, ...row }) => ({ ...row, date, to_confirm: to_confirm === 1 }));
}
