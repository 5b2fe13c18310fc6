import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../db/open-database.ts';
import { DATABASE_FILE } from '../../db/sqlite.ts';
import { aClaim, aKey, aSpot, submitted } from '../../dev/test/builders.ts';
import { databases, type TestDatabase } from '../../dev/test/databases.ts';
import { expectSame } from '../../dev/test/expect-same.ts';
import { isLong } from '../../dev/test/scope.ts';
import { createSuiteApp } from '../../dev/test/test-app.ts';
import { readEnv } from '../../env.ts';
import { readArchive } from './archive-reader.ts';
import { damages } from './test/damages.ts';
import { aFolder, anEmpty, archiveOf, recordsOf, restoreInto } from './test/records.ts';

vi.setConfig({ testTimeout: 180_000 });

const app = createSuiteApp('sqlite');
let good: Buffer;
let lines: string[];
let wanted: Awaited<ReturnType<typeof recordsOf>>;

beforeAll(async () => {
  for (let nth = 0; nth < 5; nth += 1) {
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
  }
  good = await archiveOf(app.settings);
  lines = gunzipSync(good).toString().trimEnd().split('\n');
  wanted = await recordsOf(app.settings);
});

/** Whether there is anything of an archive in a database, or beside it. */
async function traces(on: TestDatabase): Promise<unknown> {
  if (!on.settings.DATABASE_URL)
    return ['', '.restoring', '.restoring-journal'].filter((end) =>
      existsSync(path.join(on.settings.DATA_DIR, DATABASE_FILE + end)),
    );
  const { db, close } = await openDatabase(readEnv(on.settings), pino({ level: 'silent' }));
  const { rows } =
    await sql`select (select value from clock) as clock, (select count(*) from claims) as claims, (select count(*) from kysely_migration) as done`.execute(
      db,
    );
  await close();
  return rows;
}

/** One for each check of the reader, and those that only the database finds. */
const ON_POSTGRES = [
  'lacks the row of the configuration, with hashes that match',
  'lacks its second half',
  'has a letter changed',
  'has a row too many',
  'has a column that is none',
  'has two rows of one key',
  'has hours of a claim that is not there',
  'is of a newer schema',
];

describe.each(databases)('an archive on %s that', (dialect) => {
  const chosen =
    dialect === 'sqlite' || isLong
      ? damages
      : damages.filter(([name]) => ON_POSTGRES.includes(name));
  it.each(chosen)('%s is refused in one line, and nothing is written', async (_, damaged, why) => {
    const file = path.join(await aFolder(), 'damaged.gz');
    await writeFile(file, damaged(good));
    const to = await anEmpty(dialect);
    const before = await traces(to);
    const refused = restoreInto(to, file);
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.toMatchObject({
      name: 'StartError',
      message: expect.not.stringContaining('\n'),
    });
    expect(await traces(to)).toEqual(before);
    // And the whole one is taken by the very same database.
    await writeFile(file, good);
    await restoreInto(to, file);
    expectSame(await recordsOf(to.settings), wanted);
  });
});

describe('an archive', () => {
  const read = async (file: string, limits?: Parameters<typeof readArchive>[1]): Promise<void> => {
    for await (const _ of readArchive(file, limits));
  };

  it('is refused if any bit of it is flipped', async () => {
    const file = path.join(await aFolder(), 'flipped.gz');
    const taken: number[] = [];
    // The gzip header's first ten bytes hold a time and an operating system, and no content.
    for (let byte = 10; byte < good.length; byte += 97) {
      const flipped = Buffer.from(good);
      flipped[byte] = (flipped[byte] ?? 0) ^ (1 << (byte % 8));
      await writeFile(file, flipped);
      const isTaken = await read(file).then(
        () => true,
        () => false,
      );
      // A flip in the padding before the checksum changes nothing.
      if (isTaken && !gunzipSync(flipped).equals(gunzipSync(good))) taken.push(byte);
    }
    expect(taken).toEqual([]);
    await writeFile(file, good);
    await read(file);
  });

  it('that unpacks to more than any archive of its size is read no further', async () => {
    const file = path.join(await aFolder(), 'bomb.gz');
    const row = `${JSON.stringify(['x'.repeat(1_000)])}\n`;
    const table = '{"table":"bans","columns":["a"]}';
    const header = JSON.parse(lines[0] ?? '');
    header.tables = { bans: 1e9 };
    await writeFile(file, gzipSync(`${JSON.stringify(header)}\n${table}\n${row.repeat(30_000)}`));
    const { size } = await stat(file);
    expect(size * 100).toBeLessThan(30_000_000);
    await expect(read(file, { unpackedFree: 1_000_000, unpackedTimes: 100 })).rejects.toThrow(
      'unpacks to more than any archive',
    );
    // Ours are far from it.
    await writeFile(file, good);
    expect(lines.join('\n').length).toBeLessThan(good.length * 50);
    await read(file, { unpackedFree: 0, unpackedTimes: 50 });
  });

  it('that is not there, or is a folder, is one line', async () => {
    const folder = await aFolder();
    await expect(read(path.join(folder, 'none.gz'))).rejects.toThrow(
      /^There is no file .*none\.gz\.$/,
    );
    await expect(read(folder)).rejects.toThrow(/it is not a file\.$/);
  });

  it('is made of complete lines, each a row or a header', () => {
    expect(lines.filter((line) => !/^[{[]/.test(line))).toEqual([]);
  });
});
