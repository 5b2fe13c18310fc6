import { describe, expect, it } from 'vitest';
import { CONFIG_ID, recordId } from './kinds.ts';
import { applyChangeSet, type Board, boardFromSnapshot, type Change, emptyBoard } from './live.ts';
import type { Category } from './schemas/category.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { typeOf } from './test/submission-facts.ts';

const category = (id: number, name = `Category ${id}`): Category => ({ id, name });
const put = (record: Category): Change => ({ op: 'put', kind: 'category', record });
const remove = (id: number): Change => ({ op: 'remove', kind: 'category', id });
const boardAt = (clock: number, ...categories: Category[]): Board =>
  boardFromSnapshot(clock, { category: categories });

function applied(board: Board, ...changes: Change[]): Board {
  const after = applyChangeSet(board, { clock: board.clock + 1, changes });
  if (typeof after === 'string') throw new Error(after);
  return after;
}
const names = (board: Board): string[] =>
  [...board.byKind.category.values()].map(({ name }) => name).sort();

describe('a change set', () => {
  it('puts and removes whole records, and moves the board’s clock', () => {
    const after = applied(
      boardAt(4, category(1), category(2)),
      put(category(3)),
      put(category(1, 'Zao')),
      remove(2),
    );
    expect(after.clock).toBe(5);
    expect(names(after)).toEqual(['Category 3', 'Zao']);
  });

  it('with nothing in it moves the clock alone: a write that is an admin’s business', () => {
    const board = boardAt(4, category(1));
    const after = applied(board);
    expect(after.clock).toBe(5);
    expect(after.byKind).toBe(board.byKind);
  });

  it('is stale at or below the board’s clock', () => {
    const board = boardAt(4, category(1));
    expect(applyChangeSet(board, { clock: 4, changes: [remove(1)] })).toBe('stale');
    expect(applyChangeSet(board, { clock: 1, changes: [] })).toBe('stale');
  });

  it('leaves a gap when it is not exactly the next', () => {
    expect(applyChangeSet(boardAt(4), { clock: 6, changes: [] })).toBe('gap');
  });

  it('that asks for a reset is a gap, even with other changes, and leaves the board alone', () => {
    const board = boardAt(4, category(1));
    expect(applyChangeSet(board, { clock: 5, changes: [remove(1), { op: 'reset' }] })).toBe('gap');
    expect(names(board)).toEqual(['Category 1']);
  });

  it('of a newer server is read without unknown kinds, operations and fields', () => {
    const later: Change[] = JSON.parse(
      JSON.stringify([
        { op: 'put', kind: 'wait', record: { id: 1 } },
        { op: 'remove', kind: 'wait', id: 1 },
        { op: 'merge', kind: 'category', id: 1, fields: {} },
        put({ ...category(3), colour: 'red' } as Category),
      ]),
    );
    const after = applied(boardAt(4, category(1)), ...later);
    expect(after.clock).toBe(5);
    expect(names(after)).toEqual(['Category 1', 'Category 3']);
    const snapshot = JSON.parse('{"category":[{"id":1,"name":"Category 1"}],"wait":[{"id":1}]}');
    expect(names(boardFromSnapshot(4, snapshot))).toEqual(['Category 1']);
  });

  it('is idempotent: puts and removals can be repeated', () => {
    const once = applied(boardAt(4, category(1), category(2)), put(category(3)), remove(1));
    const twice = applied(once, put(category(3)), remove(1));
    expect(names(twice)).toEqual(names(once));
    expect(twice.byKind.category.size).toBe(2);
  });
});

describe('a board after a change', () => {
  const many = Array.from({ length: 1_000 }, (_, i) => category(i + 1));

  it('shares every record that the change does not name', () => {
    const before = boardAt(4, ...many);
    const after = applied(before, put(category(500, 'Zao')));
    for (const { id } of many.filter((each) => each.id !== 500)) {
      expect(after.byKind.category.get(id)).toBe(before.byKind.category.get(id));
    }
    expect(before.byKind.category.get(500)?.name).toBe('Category 500');
    expect(after.byKind.category.get(500)?.name).toBe('Zao');
  });

  it('shares the tables of every other kind', () => {
    const before = boardAt(4, ...many);
    const after = applied(before, put(category(1, 'Zao')));
    expect(after.byKind.category).not.toBe(before.byKind.category);
    expect(after.byKind.claim).toBe(before.byKind.claim);
    expect(after.byKind.respawn).toBe(before.byKind.respawn);
  });

  it('keeps its table when the removed record was not there', () => {
    const before = boardAt(4, ...many);
    expect(applied(before, remove(5_000)).byKind.category).toBe(before.byKind.category);
  });
});

describe('a snapshot', () => {
  it('makes a board of its records, kinds that it leaves out being empty', () => {
    const board = boardFromSnapshot(9, {
      category: [category(1)],
      member_type: [typeOf({ member_type: 'elite' })],
    });
    expect(board.clock).toBe(9);
    expect(board.byKind.member_type.get('elite')?.member_type).toBe('elite');
    expect(board.byKind.claim.size).toBe(0);
    expect(emptyBoard().clock).toBe(0);
  });

  it('identifies member types by name, the configuration as one record, everything else by id', () => {
    expect(recordId('category', category(3))).toBe(3);
    expect(recordId('member_type', typeOf({ member_type: 'vice' }))).toBe('vice');
    const config = {
      ...DEFAULT_SETTINGS,
      board_visibility: 'members' as const,
      ss_time_zone: 'America/Los_Angeles',
      ss_hour: 1,
      voucher_duration_hours: 4,
      horizon_days: 60,
      character_check: 'tibiadata' as const,
      guild_name: null,
      has_discord_app: 0 as const,
      has_discord_sign_in: 0 as const,
      notifications_paused: 0 as const,
      is_demo: 0 as const,
    };
    expect(recordId('config', config)).toBe(CONFIG_ID);
  });
});
