import { type ExpressionBuilder, expressionBuilder } from 'kysely';
import { z } from 'zod';
import { MAX_STARS, withStars } from '../../../shared/rules/stars.ts';
import type { CharacterStars } from '../../../shared/schemas/star.ts';
import { tradedCharacters } from '../../auth/changed-members.ts';
import { memberOfKey } from '../../auth/sessions.ts';
import { type Db, type Reading, readByIds, type Tx, writeInBatches } from '../../db/database.ts';
import { defineMemory } from '../../db/memory.ts';
import type { Database } from '../../db/schema.ts';
import {
  MANY_CHANGES,
  type Unit,
  type WriteHook,
  type Writing,
  write,
} from '../../db/unit-of-work.ts';
import type { KeyHolder } from '../../http/caller.ts';
import { createTries } from '../../http/rate-limits.ts';
import { daysBefore, deleteOldRecords, type InsideKind, nextHour } from '../../jobs/job-kind.ts';
import type { ChangeBus } from '../../live/bus.ts';

/*
 * Starred spots, which a member sees first on the board and in Discord. They are private, so neither the activity log nor other watchers
 * get them. They belong to the character: a new access key keeps them, unless the character was traded.
 */

/** Changes of a character's stars in a minute, on one server; a change may star many spots. */
export const MAX_STAR_CHANGES_PER_MINUTE = 120;
const STAR_WINDOW_MS = 60_000;
/** Characters whose changes are counted. */
const MAX_COUNTED = 10_000;

/** Changes of stars, by character. */
const starChanges = defineMemory(({ now }: Reading) =>
  createTries({ window_ms: STAR_WINDOW_MS, most: MAX_COUNTED, now: () => now().getTime() }),
);

interface StarReader extends Reading {
  bus: Pick<ChangeBus, 'epoch'>;
}
export interface StarContext extends StarReader, Writing {}

/** A character's stars of existing spots, oldest first, and the clock at which they are these. Disabled spots are among them. */
export async function starsOf(
  db: Db | Tx,
  character_key: string,
): Promise<Omit<CharacterStars, 'epoch'>> {
  // One statement, so that the clock and the stars are of the same moment.
  const rows = await db
    .selectFrom('clock')
    .leftJoin('stars', (join) => join.on('stars.character_key', '=', character_key))
    .leftJoin('respawns', 'respawns.id', 'stars.respawn_id')
    .select(['clock.value', 'respawns.id'])
    .orderBy('stars.position')
    .execute();
  // Undoing a spot's deletion may restore one star too many.
  return { clock: rows[0]?.value ?? 0, ids: rows.flatMap(({ id }) => id ?? []).slice(-MAX_STARS) };
}

export async function readStars(
  { db, bus }: StarReader,
  character_key: string,
): Promise<CharacterStars> {
  // Taken first: rows of an older history must not count as rows of the new one.
  const { epoch } = bus;
  return { epoch, ...(await starsOf(db, character_key)) };
}

/**
 * Stars spots for the member; ids that no spot has are left out, so that a browser can move its old stars.
 * @returns all of the member's stars
 * @throws DomainError request.tooManyTries; session.* for an invalid key
 */
export const addStars = (
  ctx: StarContext,
  caller: KeyHolder,
  respawn_ids: readonly number[],
): Promise<CharacterStars> =>
  changeStars(ctx, caller, async (db, before) => {
    const spots = await readByIds(respawn_ids, (some) =>
      db.selectFrom('respawns').select('id').where('id', 'in', some).execute(),
    );
    const existing = new Set(spots.map(({ id }) => id));
    return withStars(
      before,
      respawn_ids.filter((id) => existing.has(id)),
    );
  });

/**
 * Removes a member's star. Does nothing if there is no such star.
 * @returns the remaining stars
 * @throws DomainError request.tooManyTries; session.* for an invalid key
 */
export const removeStar = (
  ctx: StarContext,
  caller: KeyHolder,
  respawn_id: number,
): Promise<CharacterStars> =>
  changeStars(ctx, caller, async (_, before) => before.filter((id) => id !== respawn_id));

/** The clock does not advance if the change changes nothing. */
async function changeStars(
  ctx: StarContext,
  { access_key, character_key: known_key }: KeyHolder,
  change: (db: Db | Tx, before: readonly number[]) => Promise<readonly number[]>,
): Promise<CharacterStars> {
  starChanges(ctx).admit(known_key, MAX_STAR_CHANGES_PER_MINUTE);
  const known = await readStars(ctx, known_key);
  if (isUnchanged(known.ids, await change(ctx.db, known.ids))) return known;
  return write(ctx, async ({ tx, changes }) => {
    const { epoch } = ctx.bus;
    const { character_key } = await memberOfKey(tx, access_key);
    const stored = await tx
      .selectFrom('stars')
      .leftJoin('respawns', 'respawns.id', 'stars.respawn_id')
      .select(['respawn_id', 'position', 'respawns.id as spot'])
      .where('character_key', '=', character_key)
      .orderBy('position')
      .execute();
    // Stars of deleted spots stay for an undo, and don't count towards the limit.
    const before = stored.flatMap(({ spot }) => spot ?? []);
    const after = await change(tx, before);
    if (!isUnchanged(before, after)) {
      const oldIds = before.filter((id) => !after.includes(id));
      const newIds = after.filter((id) => !before.includes(id));
      await writeInBatches(oldIds, (some) =>
        tx
          .deleteFrom('stars')
          .where('character_key', '=', character_key)
          .where('respawn_id', 'in', some)
          .execute(),
      );
      const last = stored.at(-1)?.position ?? 0;
      const rows = newIds.map((respawn_id, nth) => ({
        character_key,
        respawn_id,
        position: last + 1 + nth,
      }));
      await writeInBatches(rows, (some) => tx.insertInto('stars').values(some).execute());
      changes.sendOwn([character_key]);
    }
    return { epoch, ...(await starsOf(tx, character_key)) };
  });
}

/** A change keeps the order of the stars that it keeps, so that equal lengths and ids are enough. */
const isUnchanged = (before: readonly number[], after: readonly number[]): boolean =>
  before.length === after.length && before.every((id) => after.includes(id));

/** A star whose spot was deleted, or whose character has no key any more. */
const isUnused = ({ or, not, exists, selectFrom }: ExpressionBuilder<Database, 'stars'>) =>
  or([
    not(
      exists(
        selectFrom('respawns')
          .select('respawns.id')
          .whereRef('respawns.id', '=', 'stars.respawn_id'),
      ),
    ),
    not(
      exists(
        selectFrom('access_keys')
          .select('access_keys.id')
          .whereRef('access_keys.character_key', '=', 'stars.character_key'),
      ),
    ),
  ]);

/** Notes since when stars are unused, and that they no longer are after an undo. */
export const noteUnusedStars: InsideKind<null> = {
  kind: 'star.note-unused',
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  isNeeded: async ({ db }) => {
    const wrong = ({ eb, or, and, not }: ExpressionBuilder<Database, 'stars'>) => {
      const unused = isUnused(expressionBuilder<Database, 'stars'>());
      return or([
        and([eb('unused_since', 'is', null), unused]),
        and([eb('unused_since', 'is not', null), not(unused)]),
      ]);
    };
    return (
      (await db
        .selectFrom('stars')
        .select('respawn_id')
        .where(wrong)
        .limit(1)
        .executeTakeFirst()) !== undefined
    );
  },
  run: async ({ ctx: { now }, tx }) => {
    const stars = tx.updateTable('stars');
    await stars
      .set({ unused_since: null })
      .where('unused_since', 'is not', null)
      .where((star) => star.not(isUnused(star)))
      .execute();
    await stars
      .set({ unused_since: now().toISOString() })
      .where('unused_since', 'is', null)
      .where(isUnused)
      .execute();
    return undefined;
  },
};

/** An undo brings spots and keys back with their stars for as long. */
const UNUSED_KEPT_DAYS = 30;

/** Deletes the stars of spots and characters that were deleted long ago. */
export const forgetStars = deleteOldRecords<{ character_key: string; respawn_id: number }>({
  kind: 'star.forget',
  old: (db, now, most) =>
    db
      .selectFrom('stars')
      .select(['character_key', 'respawn_id'])
      .where('unused_since', '<', daysBefore(now, UNUSED_KEPT_DAYS))
      // It may have been restored in this hour.
      .where(isUnused)
      .limit(most)
      .execute(),
  remove: async ({ tx }, old) => {
    for (const { character_key, respawn_id } of old)
      await tx
        .deleteFrom('stars')
        .where('character_key', '=', character_key)
        .where('respawn_id', '=', respawn_id)
        .execute();
  },
});

export const deleteStarsOfTraded: WriteHook = {
  after: async (unit) => {
    for (const character_key of tradedCharacters(unit))
      await unit.tx.deleteFrom('stars').where('character_key', '=', character_key).execute();
  },
};

/** Sends members the stars that come back with restored spots. */
export async function sendStarsOf(
  { tx, changes }: Unit,
  respawn_ids: readonly number[],
): Promise<void> {
  const found = await readByIds(respawn_ids, (some) =>
    tx
      .selectFrom('stars')
      .select('character_key')
      .distinct()
      .where('respawn_id', 'in', some)
      .limit(MANY_CHANGES + 1)
      .execute(),
  );
  const owners = [...new Set(found.map(({ character_key }) => character_key))];
  // All members then load the board again, and with it their own records.
  if (owners.length > MANY_CHANGES) changes.reset();
  else if (owners.length > 0) changes.sendOwn(owners);
}
