import { DomainError } from '../../../shared/errors.ts';
import { withStars } from '../../../shared/rules/stars.ts';
import { memberOfKey } from '../../auth/sessions.ts';
import { type Db, readByIds, type Tx, writeInBatches } from '../../db/database.ts';
import { type Writer, write } from '../../db/unit-of-work.ts';
import type { KeyHolder } from '../../http/caller.ts';
import { createTries, type Tries } from '../../http/rate-limits.ts';

/*
 * Starred spots, which a member sees first on the board and in Discord. They are private, so neither the activity log nor other watchers
 * get them. They belong to the character: a new access key keeps them.
 */

/** Changes of a character's stars in a minute; a change may star many spots. */
export const STAR_CHANGES = 120;
const STAR_WINDOW_MS = 60_000;
/** Characters whose changes are counted. */
const MAX_COUNTED = 10_000;

export const countStarChanges = (now: () => Date): Tries =>
  createTries({ window_ms: STAR_WINDOW_MS, most: MAX_COUNTED, now: () => now().getTime() });

export interface Starring extends Writer {
  starChanges: Tries;
}

/** The ids of a character's starred spots, oldest star first. Disabled spots are among them, deleted ones aren't. */
export async function starsOf(db: Db | Tx, character_key: string): Promise<number[]> {
  const rows = await db
    .selectFrom('stars')
    .innerJoin('respawns', 'respawns.id', 'stars.respawn_id')
    .select('respawn_id')
    .where('character_key', '=', character_key)
    .orderBy('position')
    .execute();
  return rows.map(({ respawn_id }) => respawn_id);
}

/**
 * Stars spots for the member; ids that no spot has are left out, so that a browser can move its old stars.
 * @returns all of the member's stars
 * @throws DomainError request.tooManyTries; session.* for an invalid key
 */
export const addStars = (ctx: Starring, caller: KeyHolder, respawn_ids: readonly number[]): Promise<number[]> =>
  changeStars(ctx, caller, async (tx, before) => {
    const spots = await readByIds(respawn_ids, (some) => tx.selectFrom('respawns').select('id').where('id', 'in', some).execute());
    const existing = new Set(spots.map(({ id }) => id));
    return withStars(
      before,
      respawn_ids.filter((id) => existing.has(id)),
    );
  });

/**
 * Removes a member's star. Without one nothing happens.
 * @returns the remaining stars
 * @throws DomainError request.tooManyTries; session.* for an invalid key
 */
export const removeStar = (ctx: Starring, caller: KeyHolder, respawn_id: number): Promise<number[]> =>
  changeStars(ctx, caller, async (_, before) => before.filter((id) => id !== respawn_id));

async function changeStars(
  ctx: Starring,
  { access_key, character_key: counted }: KeyHolder,
  change: (tx: Tx, before: readonly number[]) => Promise<readonly number[]>,
): Promise<number[]> {
  const { tries, seconds } = ctx.starChanges.count(counted);
  if (tries > STAR_CHANGES) throw new DomainError('request.tooManyTries', { seconds });
  return write(ctx, async (tx, changes) => {
    const { character_key } = await memberOfKey(tx, access_key);
    const stored = await tx.selectFrom('stars').select(['respawn_id', 'position']).where('character_key', '=', character_key).execute();
    const before = stored.sort((a, b) => a.position - b.position).map(({ respawn_id }) => respawn_id);
    const after = await change(tx, before);
    const [oldIds, newIds] = [before.filter((id) => !after.includes(id)), after.filter((id) => !before.includes(id))];
    await writeInBatches(oldIds, (some) =>
      tx.deleteFrom('stars').where('character_key', '=', character_key).where('respawn_id', 'in', some).execute(),
    );
    const last = stored.at(-1)?.position ?? 0;
    const rows = newIds.map((respawn_id, nth) => ({ character_key, respawn_id, position: last + 1 + nth }));
    await writeInBatches(rows, (some) => tx.insertInto('stars').values(some).execute());
    if (oldIds.length + newIds.length > 0) changes.sendOwn([character_key]);
    return starsOf(tx, character_key);
  });
}
