import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { inBatches, type Reading } from '../../db/database.ts';
import { type Writing, writeUnseen } from '../../db/unit-of-work.ts';
import type { JobContext, Lease, OutsideKind } from '../../jobs/job-kind.ts';
import { addMissingJob } from '../../jobs/job-store.ts';
import type { Sighting } from '../verification/character-source.ts';
import { characterSource } from '../verification/check-verification.ts';
import { isOn, members } from './records.ts';
import { storeLook } from './store.ts';

const MINUTES_OF_DAY = 1_440;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** A due time later than this was stored by a clock that was ahead. */
const LATEST_DUE_MS = DAY_MS + 3_600_000;
/** The daily look waits for its turn as one address among those that verify. */
const ADDRESS = 'the daily look';
/** How often it asks for its turn before the next minute does. */
const ASKS = 10;

/** The characters to look at next. A day's looks are spread over its minutes. */
async function dueCharacters(ctx: Reading): Promise<{ name: string; key: string }[]> {
  const now = ctx.now().getTime();
  const latest = new Date(now + LATEST_DUE_MS).toISOString();
  const { n } = await members(ctx.db)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return members(ctx.db)
    .select(['k.character_name as name', 'k.character_key as key'])
    .where(({ or, eb }) =>
      or([
        eb('f.due_at', 'is', null),
        eb('f.due_at', '<=', new Date(now).toISOString()),
        eb('f.due_at', '>', latest),
      ]),
    )
    .orderBy(sql`coalesce(f.due_at, '')`)
    .orderBy('k.id')
    .limit(Math.max(1, Math.ceil(n / MINUTES_OF_DAY)))
    .execute();
}

/** Has one of the servers look at the characters that are due. */
export async function lookSoon(ctx: Writing): Promise<void> {
  if (!(await isOn(ctx)) || (await dueCharacters(ctx)).length === 0) return;
  const due_at = ctx.now();
  await writeUnseen(ctx, (unit) =>
    addMissingJob(unit, lookAtFacts, { key: '', due_at, payload: null }),
  );
}

/** The source's newest answer for a character; null: this minute brings none. */
async function lookAt(ctx: JobContext, name: string, lease: Lease): Promise<Sighting | null> {
  for (let asked = 0; asked < ASKS; asked += 1) {
    if (!(await lease.mayContinue())) return null;
    const look = await characterSource(ctx).look(name, ADDRESS);
    if ('finding' in look) return look;
    await wait(look.wait_seconds * 1_000, undefined, { signal: lease.signal });
  }
  return null;
}

/** One request at a time, and none while the source is left alone. Not while the clock may be wrong: looks a day apart end access. */
export const lookAtFacts: OutsideKind<null, JobContext> = {
  kind: 'facts.look',
  runs: 'outside',
  payload: z.null(),
  max_running: 1,
  timeout_s: 120,
  unseen: true,
  run: async (ctx, _job, lease) => {
    if (!(await isOn(ctx)) || ctx.clock.deletionPaused() !== null) return undefined;
    for (const { name, key } of await dueCharacters(ctx)) {
      const sighting = await lookAt(ctx, name, lease);
      if (!sighting) return undefined;
      await storeLook(ctx, key, sighting);
    }
    return undefined;
  },
};

/** First of all: sorts before every time. */
const AT_ONCE = '';

/** Looks at characters when their owners sign in and the last look is older than a week. */
export async function lookAtSignedIn(
  ctx: Writing,
  character_keys: readonly string[],
): Promise<void> {
  if (!(await isOn(ctx))) return;
  const old = new Date(ctx.now().getTime() - WEEK_MS).toISOString();
  for (const some of inBatches(character_keys)) {
    const rows = await ctx.db
      .selectFrom('character_facts')
      .select('character_key')
      .where('character_key', 'in', some)
      .where('read_at', '<', old)
      .where('due_at', '!=', AT_ONCE)
      .execute();
    if (rows.length === 0) continue;
    const keys = rows.map(({ character_key }) => character_key);
    await writeUnseen(ctx, ({ tx }) =>
      tx
        .updateTable('character_facts')
        .set({ due_at: AT_ONCE })
        .where('character_key', 'in', keys)
        .execute(),
    );
  }
}
