import BetterSqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { keepStatements, LONGEST_KEPT, STATEMENTS_KEPT } from './statements.ts';

describe('the statements of a connection', () => {
  let database: BetterSqlite.Database;
  beforeEach(() => {
    database = new BetterSqlite(':memory:');
    onTestFinished(() => void database.close());
    database.exec('create table spots (id, name)');
    database.exec("insert into spots values (1, 'Asuras'), (2, 'Roshamuul')");
  });

  it('are prepared once, however often they run', () => {
    const prepared = vi.spyOn(database, 'prepare');
    const prepare = keepStatements(database);
    for (let n = 1; n <= 5; n += 1)
      expect(prepare('select name from spots where id = ?').all([1])).toEqual([{ name: 'Asuras' }]);
    expect(prepared).toHaveBeenCalledTimes(1);
  });

  it('are kept up to a number, the most recently used', () => {
    const prepared = vi.spyOn(database, 'prepare');
    const prepare = keepStatements(database, 3);
    for (const n of [1, 2, 3, 1, 4, 1]) prepare(`select ${n}`);
    expect(prepared).toHaveBeenCalledTimes(4);
    prepare('select 2');
    expect(prepared).toHaveBeenCalledTimes(5);
    prepare('select 1');
    expect(prepared).toHaveBeenCalledTimes(5);
  });

  it('with lists of changing lengths use no more memory than that, and the longest none', () => {
    const prepared = vi.spyOn(database, 'prepare');
    const prepare = keepStatements(database);
    const list = (length: number): string =>
      `select name from spots where id in (${Array(length).fill('?').join(', ')})`;
    for (let length = 1; length <= STATEMENTS_KEPT + 1; length += 1) prepare(list(length));
    prepared.mockClear();
    prepare(list(1));
    expect(prepared).toHaveBeenCalledTimes(1);
    const long = list(LONGEST_KEPT / 2);
    for (const n of [2, 3]) {
      prepare(long);
      expect(prepared).toHaveBeenCalledTimes(n);
    }
  });

  it('answer by the schema as it is now', () => {
    const prepare = keepStatements(database);
    const all = 'select * from spots where id = 1';
    expect(prepare(all).all([])).toEqual([{ id: 1, name: 'Asuras' }]);
    database.exec('alter table spots add column hidden default 0');
    expect(prepare(all).all([])).toEqual([{ id: 1, name: 'Asuras', hidden: 0 }]);
    database.exec('drop table spots');
    database.exec("create table spots (name, id); insert into spots values ('Lost Souls', 1)");
    expect(prepare(all).all([])).toEqual([{ name: 'Lost Souls', id: 1 }]);
  });

  it('whose rows are still being read are not read twice at once', () => {
    const prepare = keepStatements(database);
    const all = 'select id from spots order by id';
    const one = prepare(all).iterate([]);
    const other = prepare(all).iterate([]);
    expect([one.next().value, other.next().value, one.next().value, other.next().value]).toEqual([
      { id: 1 },
      { id: 1 },
      { id: 2 },
      { id: 2 },
    ]);
    for (const rows of [one, other]) expect(rows.next().done).toBe(true);
    expect(prepare(all).all([])).toEqual([{ id: 1 }, { id: 2 }]);
  });
});
