import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { BoardWatcher } from '../../dev/test/board-watcher.ts';
import { aClaim, aKey, aSpot, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { isLong } from '../../dev/test/scope.ts';
import { createTestApp } from '../../dev/test/test-app.ts';
import { connect } from '../../dev/test/watcher.ts';
import { ALL_TABLES } from './archive-format.ts';
import { aFullGuild } from './test/guild.ts';
import { backedUp, recordsOf, restored } from './test/records.ts';

// Several databases are made one after another.
vi.setConfig({ testTimeout: 180_000 });

describe.each(databases)('an archive of a guild on %s', (dialect) => {
  it('has each table that the database says it has', async () => {
    const app = await createTestApp(dialect);
    const { rows } =
      dialect === 'sqlite'
        ? await sql<{
            name: string;
          }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`.execute(
            app.ctx.db,
          )
        : await sql<{
            name: string;
          }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(
            app.ctx.db,
          );
    const names = rows.map(({ name }) => name).filter((name) => !name.startsWith('kysely_'));
    expect([...ALL_TABLES].sort()).toEqual(names.sort());
  });

  // Both ways between the two kinds read and write both of them.
  it.each(isLong ? databases : databases.filter((other) => other !== dialect))(
    'is restored on %s, and from there, equal record by record',
    async (other) => {
      const app = await createTestApp(dialect);
      await aFullGuild(app);
      const before = await recordsOf(app.settings);
      expect(Object.entries(before).filter(([, records]) => records.length === 0)).toEqual([]);
      const there = await restored(other, await backedUp(app.settings));
      expect(await recordsOf(there.settings)).toEqual(before);
      const andBack = await restored(dialect, await backedUp(there.settings));
      expect(await recordsOf(andBack.settings)).toEqual(before);
    },
  );

  it('is a board that continues from its clock, its ids and its members; watchers reload', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const [last] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    await app.api.delete(`/admin/claims/${last?.id}`).set(app.admin).expect(200);
    const clock = app.ctx.bus.clock();
    const other = dialect === 'sqlite' ? 'postgres' : 'sqlite';
    const same = await restored(dialect, await backedUp(app.settings));
    const moved = await restored(other, await backedUp(app.settings));
    for (const [kind, on] of [[dialect, same] as const, [other, moved] as const]) {
      const second = await createTestApp(kind, { on });
      expect(second.ctx.bus.clock()).toBeGreaterThanOrEqual(clock);
      expect(second.ctx.bus.epoch).not.toBe(app.ctx.bus.epoch);
      const stored = async ({ ctx }: typeof app) =>
        (await ctx.db.selectFrom('clock').select('epoch').executeTakeFirstOrThrow()).epoch;
      expect(await stored(second)).not.toBe(await stored(app));
      // An id is never reused, not even that of a deleted claim.
      const [next] = await submitted(second, key, aClaim(key, { respawn_id: aSpot() }));
      expect(next?.id).toBeGreaterThan(last?.id ?? 0);
      let url = app.url;
      const watcher = new BoardWatcher('', { access_key: key.key_value }, (_, auth) =>
        connect(url, auth),
      );
      await watcher.connect();
      watcher.disconnect();
      url = second.url;
      await watcher.connect();
      expect([watcher.snapshots, watcher.epoch]).toEqual([2, second.ctx.bus.epoch]);
    }
  });
});
