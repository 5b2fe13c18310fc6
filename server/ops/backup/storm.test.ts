import path from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../db/open-database.ts';
import { aClaim, aSpot, manyKeys, submit } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp } from '../../dev/test/test-app.ts';
import { readEnv } from '../../env.ts';
import { writeArchive } from './archive-writer.ts';
import { aFolder, anEmpty, restoreInto } from './test/records.ts';

vi.setConfig({ testTimeout: 180_000 });

describe.each(databases)('an archive that is made during a storm of writes on %s', (dialect) => {
  it('is one committed state: all earlier writes, each of the others entirely or not, and no gap', async () => {
    const app = await createTestApp(dialect);
    const keys = await manyKeys(app, 240);
    const spots = keys.map(() => (aSpot() % 80) + 1);
    const database = await openDatabase(readEnv(app.settings), pino({ level: 'silent' }), {
      beside: true,
    });
    const file = path.join(await aFolder(), 'board.jsonl.gz');
    // Two claims on two dates in one write each; the first ones exist before it begins.
    const write = (nth: number) => {
      const key = keys[nth];
      if (!key) throw new Error('too few keys');
      const hour = (nth % 3) * 4;
      const dates = nth < 120 ? ['2026-11-22', '2026-11-23'] : ['2026-11-24', '2026-11-25'];
      return submit(
        app,
        key,
        ...dates.map((date) =>
          aClaim(key, { respawn_id: spots[nth] ?? 1, date, hour_start: hour, hour_end: hour + 1 }),
        ),
      );
    };
    let answered = 0;
    const storm = async (from: number, until: number): Promise<void> => {
      for (let nth = from; nth < until; nth += 1)
        if ((await write(nth)).status === 201) answered += 1;
    };
    await storm(0, 20);
    const before = answered;
    const storms = Promise.all([storm(20, 75), storm(75, 130), storm(130, 185), storm(185, 240)]);
    let during = 0;
    await writeArchive(database, file, {
      now: () => new Date(),
      progress: () => {
        during = answered;
      },
    });
    const after = answered;
    await storms;
    await database.close();
    expect(during).toBeGreaterThanOrEqual(before);
    expect(answered).toBeGreaterThan(after);

    const to = await anEmpty(dialect === 'sqlite' ? 'postgres' : 'sqlite');
    await restoreInto(to, file);
    const { db, close } = await openDatabase(readEnv(to.settings), pino({ level: 'silent' }), {
      beside: true,
    });
    const clock = (await db.selectFrom('clock').select('value').executeTakeFirstOrThrow()).value;
    const claims = await db.selectFrom('claims').select(['id', 'character_key']).execute();
    const parts = await db.selectFrom('claim_parts').select('claim_id').execute();
    const hours = await db.selectFrom('occupied_hours').select('claim_id').execute();
    const days = await db.selectFrom('occupied_days').select('claim_id').execute();
    const entries = await db
      .selectFrom('activity')
      .select('id')
      .where('action', '=', 'claim_created')
      .execute();
    const changes = await db.selectFrom('changes').select('clock').orderBy('clock').execute();
    const counts = await db.selectFrom('respawns').select('total_claims').execute();
    await close();
    const ids = claims.map(({ id }) => id).sort((a, b) => a - b);
    expect(ids.length).toBeGreaterThanOrEqual(before * 2);
    expect(ids.length).toBeLessThanOrEqual(after * 2 + 8);
    for (const rows of [parts, hours, days])
      expect(rows.map(({ claim_id }) => claim_id).sort((a, b) => a - b)).toEqual(ids);
    // Of each write both claims.
    const perHunter = Map.groupBy(claims, ({ character_key }) => character_key);
    expect([...perHunter.values()].filter((own) => own.length !== 2)).toEqual([]);
    expect(entries).toHaveLength(ids.length);
    expect(counts.reduce((sum, { total_claims }) => sum + total_claims, 0)).toBe(ids.length);
    // All changes up to the stored clock are there, and none after it.
    expect(changes.at(-1)?.clock).toBe(clock);
  });
});
