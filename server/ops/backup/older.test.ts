import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../db/open-database.ts';
import { databases, freshDatabase } from '../../dev/test/databases.ts';
import { createTestApp } from '../../dev/test/test-app.ts';
import { readEnv } from '../../env.ts';
import { anEmpty, backedUp, restoreInto } from './test/records.ts';

vi.setConfig({ testTimeout: 180_000 });

describe.each(databases)('on %s', (dialect) => {
  it('a database that a newer program changed is not backed up', async () => {
    const app = await createTestApp(dialect);
    const { writer, close } = await openDatabase(readEnv(app.settings), pino({ level: 'silent' }), {
      beside: true,
    });
    await sql`insert into kysely_migration (name, timestamp) values ('999-of-tomorrow', '2027-01-01')`.execute(
      writer,
    );
    await close();
    await expect(backedUp(app.settings)).rejects.toThrow(/newer Claimboard \(999-of-tomorrow\)/);
  });

  it('an archive is not restored beside foreign tables with rows, and leaves them alone', async () => {
    if (dialect === 'sqlite') return;
    const app = await createTestApp('sqlite');
    const file = await backedUp(app.settings);
    const to = await anEmpty(dialect);
    const { writer, close } = await openDatabase(readEnv(to.settings), pino({ level: 'silent' }), {
      beside: true,
    });
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
    await writeFile(
      file,
      'something else that somebody keeps here, and longer than a header of a database would be at all'.repeat(
        3,
      ),
    );
    await expect(restoreInto(to, await backedUp(app.settings))).rejects.toThrow(
      /damaged or not a database/,
    );
    expect(await readFile(file, 'utf8')).toMatch(/^something else/);
    await to.drop();
  });
});
