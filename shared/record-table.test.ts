import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordId } from './record-table.ts';
import { RecordTable } from './record-table.ts';

const sorted = <R>(table: RecordTable<R>): R[] => [...table.values()].sort();

describe('a record table', () => {
  it('finds records by id, number or name', () => {
    const table = RecordTable.empty<string>()
      .put(1, 'one')
      .put('elite', 'Elite')
      .put(300, 'three hundred');
    expect([
      table.get(1),
      table.get('elite'),
      table.get(300),
      table.get(2),
      table.get('1'),
    ]).toEqual(['one', 'Elite', 'three hundred', undefined, undefined]);
    expect(table.size).toBe(3);
  });

  it('puts a record in the place of the one with its id', () => {
    const table = RecordTable.of([[1, 'old']]).put(1, 'new');
    expect([table.size, table.get(1)]).toEqual([1, 'new']);
  });

  it('keeps the last of two entries with one id, and counts it once', () => {
    const table = RecordTable.of([
      [1, 'old'],
      [1, 'new'],
    ]);
    expect([table.size, table.get(1)]).toEqual([1, 'new']);
  });

  it('is not changed by a put or a removal: they make another one', () => {
    const before = RecordTable.of([[1, 'one']]);
    before.put(2, 'two');
    before.remove(1);
    expect([before.size, sorted(before)]).toEqual([1, ['one']]);
  });

  it('removes a record, and is itself when there is none to remove', () => {
    const table = RecordTable.of([
      [1, 'one'],
      [2, 'two'],
    ]);
    expect(sorted(table.remove(1))).toEqual(['two']);
    expect(table.remove(1).remove(2).size).toBe(0);
    expect(table.remove(3)).toBe(table);
    expect(table.remove('1')).toBe(table);
  });

  it('equals a plain map after any puts and removals', () => {
    const id: fc.Arbitrary<RecordId> = fc.oneof(
      fc.integer({ min: 1, max: 1_000 }),
      fc.constantFrom('member', 'elite'),
    );
    const step = fc.record({ op: fc.constantFrom('put', 'remove'), id, value: fc.integer() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let table = RecordTable.empty<number>();
        const plain = new Map<RecordId, number>();
        for (const { op, id, value } of steps) {
          table = op === 'put' ? table.put(id, value) : table.remove(id);
          if (op === 'put') plain.set(id, value);
          else plain.delete(id);
        }
        expect(table.size).toBe(plain.size);
        expect(sorted(table)).toEqual([...plain.values()].sort());
        for (const [id, value] of plain) expect(table.get(id)).toBe(value);
      }),
    );
  });
});
