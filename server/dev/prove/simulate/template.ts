import { pino } from 'pino';
import { hashToken } from '../../../auth/sessions.ts';
import { fillEmptyDatabase } from '../../../board/catalogue/catalogue.ts';
import { updateSubscribedTypes } from '../../../db/domain-events.ts';
import { migrate } from '../../../db/migrate.ts';
import { write } from '../../../db/unit-of-work.ts';
import { readEnv } from '../../../env.ts';
import { createToolContext } from '../../../tool-context.ts';
import { DISCORD_APP, LINKED } from './discord.ts';
import { openMemory } from './memory-database.ts';
import type { Model } from './model.ts';

export const ADMIN_TOKEN = 'the-admin-of-every-world';
export const CHARACTERS = ['Aldo', 'Bea', 'Cyr', 'Dee'] as const;
const TYPES = ['member', 'elite', 'vice', 'member'] as const;
const SPOTS = 3;

export const keyOf = (who: string): string => `AAAA-2222-${who.toUpperCase()}`;

/** The start of every world: few spots, few characters with a key each, a signed-in admin. */
export async function makeTemplate(): Promise<{ copy: Buffer; model: Model }> {
  const database = openMemory(null, () => async () => {});
  const env = readEnv({ ADMIN_PASSWORD: 'hunting-at-night' });
  await migrate(database);
  const ctx = createToolContext(database, {
    env,
    log: pino({ level: 'silent' }),
    now: () => new Date('2026-01-01T12:00:00Z'),
    isAlone: true,
  });
  await fillEmptyDatabase(ctx);
  const created_at = '2026-01-01T12:00:00.000Z';
  await write(ctx, async ({ tx }) => {
    await tx.deleteFrom('respawns').where('id', '>', SPOTS).execute();
    await tx
      .updateTable('config')
      .set({ release_enabled: 1, transfers_enabled: 1, standing_enabled: 1 })
      .set({ no_show_days: 90, no_show_pause_days: 1 })
      .execute();
    await tx.updateTable('member_types').set({ earliest_submission_date: '2020-01-01' }).execute();
    const session = {
      token_hash: hashToken(ADMIN_TOKEN),
      admin_id: 1,
      created_at,
      expires_at: '2099-01-01T00:00:00.000Z',
    };
    await tx.insertInto('admin_sessions').values(session).execute();
    const keys = CHARACTERS.map((character_name, at) => ({
      character_name,
      character_key: character_name.toLowerCase(),
      key_value: keyOf(character_name),
      created_by_username: 'admin',
      member_type: TYPES[at] ?? 'member',
      created_at,
    }));
    await tx.insertInto('access_keys').values(keys).execute();
    await tx
      .insertInto('discord_app')
      .values({ ...DISCORD_APP, saved_at: created_at, first_interaction_at: created_at })
      .execute();
    for (const [name, discord_user_id] of Object.entries(LINKED)) {
      const link = {
        discord_user_id,
        discord_name: name,
        discord_linked_at: created_at,
        discord_language: 'en',
      } as const;
      await tx.updateTable('access_keys').set(link).where('character_name', '=', name).execute();
    }
    await updateSubscribedTypes(ctx, tx);
  });
  const copy = database.copy();
  const rows = database.rows('select id, character_name, member_type from access_keys');
  const spots = database
    .rows('select id from respawns')
    .map(({ id }): [number, boolean] => [Number(id), true]);
  const types = database.rows('select member_type from member_types');
  const [clock] = database.rows('select value from clock');
  await ctx.close();
  const model: Model = {
    claims: new Map(),
    events: new Map(),
    spots: new Map(spots),
    keys: new Map(
      rows.map((row) => [
        String(row.character_name),
        { id: Number(row.id), revoked: false, type: String(row.member_type) },
      ]),
    ),
    banned: new Set(),
    submission: true,
    rules: { waits: true, release: true, confirm: false, hold: 10, grace: 10, noShowLimit: 0 },
    budgets: new Map(
      types.map(({ member_type }) => [String(member_type), { day: null, event: null }]),
    ),
    quiet: new Map(),
    waits: new Map(),
    left: new Map(),
    endedWithEvent: new Map(),
    offers: new Map(),
    pastOffers: new Map(),
    weekly: new Map(),
    madeBy: new Map(),
    madeOnce: new Set(),
    endings: [],
    missed: [],
    taken: new Map(),
    once: new Map(),
    clock: Number(clock?.value),
    latest: 0,
    wentBack: false,
  };
  return { copy, model };
}
