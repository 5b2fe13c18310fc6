import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Db } from '../../db/database.ts';
import { type LentDatabase, lendPostgres } from './kept-postgres.ts';

const nameOf = ({ settings }: LentDatabase): string | undefined => settings.DATABASE_URL;
const spots = (db: Db) => db.selectFrom('respawns').selectAll().orderBy('id').execute();
const addCategory = (db: Db, name: string) =>
  db.insertInto('categories').values({ name, name_key: name }).returning('id').executeTakeFirstOrThrow();

it('a database is lent again with the rows and the next ids that it had', async () => {
  const first = await lendPostgres();
  const { db } = first.opened;
  const before = await spots(db);
  const { id } = await addCategory(db, 'x');
  await db.deleteFrom('respawns').where('id', '<', 20).execute();
  await db.updateTable('respawns').set({ name: 'Elsewhere', name_key: 'elsewhere' }).where('id', '=', 30).execute();
  await first.drop();

  const second = await lendPostgres();
  expect(nameOf(second)).toBe(nameOf(first));
  expect(before.length).toBeGreaterThan(30);
  expect(await spots(second.opened.db)).toEqual(before);
  expect(await addCategory(second.opened.db, 'y')).toEqual({ id });
  await second.drop();
});

it.each([
  ['whose schema', sql`alter table respawns add column extra integer`],
  ['whose statistics', sql`analyze respawns`],
])('one %s a test changed is not lent again', async (_, change) => {
  const first = await lendPostgres();
  await change.execute(first.opened.db);
  await first.drop();
  const second = await lendPostgres();
  expect(nameOf(second)).not.toBe(nameOf(first));
  await second.drop();
});
