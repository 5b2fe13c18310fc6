import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { MIGRATION_NAMES } from '../../db/migrate.ts';
import { ofVersion2 } from '../../db/migrations/test/version-2.ts';
import { openDatabase } from '../../db/open-database.ts';
import { databases, freshDatabase } from '../../dev/test/databases.ts';
import { createTestApp, TODAY } from '../../dev/test/test-app.ts';
import { readEnv } from '../../env.ts';
import { anEmpty, backedUp, restored, restoreInto } from './test/records.ts';

vi.setConfig({ testTimeout: 180_000 });

describe.each(databases)('an archive of an older version on %s', (dialect) => {
  it.each(databases)('is loaded as it is and brought up to date on %s', async (other) => {
    const old = await ofVersion2(dialect, async (of) => {
      await of.respawn('Old spot');
      await of.key('Ann', 'KEY-1');
      await of.claim(7, 'Ann', TODAY, 4);
      // It gave out this one, too, and it is gone.
      await of.claim(9, 'Ben', TODAY, 6);
      for (const table of ['occupied_hours', 'occupied_days', 'claim_parts'])
        await sql`delete from ${sql.table(table)} where claim_id = 9`.execute(of.db);
      await sql`delete from claims where id = 9`.execute(of.db);
      if (dialect === 'postgres') await sql`select setval('claims_id_seq', 9)`.execute(of.db);
    });
    const file = await backedUp(old.settings);
    const [header = ''] = gunzipSync(await readFile(file))
      .toString()
      .split('\n', 1);
    expect(JSON.parse(header).schema).toEqual(MIGRATION_NAMES.slice(0, 2));
    const app = await createTestApp(other, { on: await restored(other, file) });
    const { db } = app.ctx;
    expect(await db.selectFrom('respawns').select(['name', 'total_claims', 'last_claim_date']).execute()).toMatchObject([
      { name: 'Old spot', total_claims: 1, last_claim_date: TODAY },
    ]);
    expect((await db.selectFrom('clock').select('value').executeTakeFirstOrThrow()).value).toBeGreaterThanOrEqual(41);
    const { body } = await app.api
      .post('/claims')
      .set('X-Access-Key', 'KEY-1')
      .send({
        claims: [{ respawn_id: 1, character_name: 'Ann', date: '2026-11-22', hour_start: 1, hour_end: 2 }],
        member_type: 'member',
        access_key: 'KEY-1',
      })
      .expect(201);
    expect(body.data).toMatchObject([{ id: 10 }]);
  });
});

describe.each(databases)('on %s', (dialect) => {
  it('a database that a newer program changed is not backed up', async () => {
    const app = await createTestApp(dialect);
    const { writer, close } = await openDatabase(readEnv(app.settings), pino({ level: 'silent' }), { beside: true });
    await sql`insert into kysely_migration (name, timestamp) values ('999-of-tomorrow', '2027-01-01')`.execute(writer);
    await close();
    await expect(backedUp(app.settings)).rejects.toThrow(/newer Claimboard \(999-of-tomorrow\)/);
  });

  it('an archive is not restored beside what somebody else keeps there, and leaves it', async () => {
    if (dialect === 'sqlite') return;
    const app = await createTestApp('sqlite');
    const file = await backedUp(app.settings);
    const to = await anEmpty(dialect);
    const { writer, close } = await openDatabase(readEnv(to.settings), pino({ level: 'silent' }), { beside: true });
    await sql`create table notes (text text)`.execute(writer);
    await sql`insert into notes values ('mine')`.execute(writer);
    await expect(restoreInto(to, file)).rejects.toThrow(/its table notes has rows/);
    await sql`delete from notes`.execute(writer);
    await restoreInto(to, file);
    expect((await sql`select * from notes`.execute(writer)).rows).toEqual([]);
    await close();
  });
});

describe('a file that is no database', () => {
  it('is not replaced', async () => {
    const to = await freshDatabase('sqlite');
    const app = await createTestApp('sqlite');
    const file = path.join(to.settings.DATA_DIR, 'claimboard.sqlite');
    await writeFile(file, 'something else that somebody keeps here, and longer than a header of a database would be at all'.repeat(3));
    await expect(restoreInto(to, await backedUp(app.settings))).rejects.toThrow(/damaged or not a database/);
    expect(await readFile(file, 'utf8')).toMatch(/^something else/);
    await to.drop();
  });
});
