import { describe, expect, it, vi } from 'vitest';
import { databases } from '../dev/test/databases.ts';
import { createTestApp } from '../dev/test/test-app.ts';
import {
  type Bound,
  type BoundRows,
  type Db,
  prepared,
  preparedRows,
  ROWS_PREPARED,
  type Tx,
} from './database.ts';
import type { CategoriesTable } from './schema.ts';

type NewCategory = Pick<CategoriesTable, 'name' | 'name_key'>;

const makeInsertion = (db: Db | Tx, rows: BoundRows<NewCategory>) =>
  db
    .insertInto('categories')
    .values(rows.map((bound) => ({ name: bound('name'), name_key: bound('name_key') })))
    .returning(['name', 'name_key'])
    .compile();

const categories = (count: number, of: string): NewCategory[] =>
  Array.from({ length: count }, (_, n) => ({ name: `${of} ${n}`, name_key: `${of} ${n}` }));

describe('a prepared statement', () => {
  it('is made once for each database and number of rows, and runs with the values of each time', async () => {
    const make = vi.fn(makeInsertion);
    const insert = preparedRows(make);
    for (const dialect of databases) {
      const { ctx } = await createTestApp(dialect);
      make.mockClear();
      await ctx.writes.transaction(async (tx) => {
        for (const of of ['Caves', 'Towers'])
          for (const count of [1, 3])
            expect(await insert(tx, categories(count, `${of} ${count}`))).toEqual(
              categories(count, `${of} ${count}`),
            );
      });
      expect(make).toHaveBeenCalledTimes(2);
      // Another transaction of the same database, with the values at other places.
      const turned = categories(3, 'Woods').map(({ name, name_key }) => ({
        name_key,
        name: `The ${name}`,
      }));
      await ctx.writes.transaction(async (tx) => expect(await insert(tx, turned)).toEqual(turned));
      expect(make).toHaveBeenCalledTimes(2);
    }
  });

  it('for very many rows is not kept', async () => {
    const make = vi.fn(makeInsertion);
    const insert = preparedRows(make);
    const { ctx } = await createTestApp('sqlite');
    await ctx.writes.transaction(async (tx) => {
      for (const of of ['Caves', 'Towers'])
        for (const count of [ROWS_PREPARED, ROWS_PREPARED + 1]) {
          const rows = categories(count, `${of} ${count}`);
          expect(await insert(tx, rows)).toEqual(rows);
        }
    });
    expect(make).toHaveBeenCalledTimes(3);
  });

  it.each(databases)(
    'may use a value twice, and others that never change, on %s',
    async (dialect) => {
      const find = prepared((db, bound: Bound<{ name: string | null }>) =>
        db
          .selectFrom('categories')
          .select('id')
          .where('id', '=', 1)
          .where((category) =>
            category.or([
              category('name', '=', bound('name')),
              category('name_key', '=', bound('name')),
            ]),
          )
          .compile(),
      );
      const { ctx } = await createTestApp(dialect);
      const { name, name_key } = await ctx.db
        .selectFrom('categories')
        .selectAll()
        .where('id', '=', 1)
        .executeTakeFirstOrThrow();
      for (const each of [name, name_key])
        expect(await find(ctx.db, { name: each })).toEqual([{ id: 1 }]);
      for (const each of ['nowhere', null]) expect(await find(ctx.db, { name: each })).toEqual([]);
    },
  );
});
