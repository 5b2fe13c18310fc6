import { describe, expect, it } from 'vitest';
import { type BoardRead, boardsOutOfOrder } from './board-order.ts';

const board = (fields: Partial<BoardRead>): BoardRead => ({
  server: 0,
  began: 0,
  answered: 1,
  clock: 7,
  claims: [],
  ...fields,
});
const CLAIM = { id: 1, spot: 1, character: 'Thora', hour_start: 10, hour_end: 12, held: false };

describe('whole boards', () => {
  it('may be older on another server, and in answers that were under way together', () => {
    const newest = board({ clock: 9, began: 2, answered: 4 });
    expect(
      boardsOutOfOrder([
        newest,
        board({ server: 1, began: 5, answered: 6 }),
        board({ began: 3, answered: 6 }),
      ]),
    ).toEqual([]);
  });

  it('do not grow older on one server', () => {
    const reads = [board({ clock: 9 }), board({ clock: 8, began: 2, answered: 3 })];
    expect(boardsOutOfOrder(reads)).toEqual([
      'server 0 answered the board of clock 8 after that of clock 9',
    ]);
    expect(boardsOutOfOrder(reads.toReversed())).toHaveLength(1);
  });

  it('of one clock are one board', () => {
    expect(boardsOutOfOrder([board({}), board({ server: 1, claims: [CLAIM] })])).toEqual([
      'two boards of clock 7 differ',
    ]);
  });
});
