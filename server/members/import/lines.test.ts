import { expect, it, vi } from 'vitest';
import { judgeLines, LINES_PER_TURN, newRow } from './lines.ts';

it('lines are validated in batches, with other work in between', async () => {
  let inThisTurn = 0;
  let most = 0;
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    most = Math.max(most, inThisTurn);
    inThisTurn = 0;
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const rows = Array.from({ length: 2_000 }, (_, at) => `Spot ${at}`);
  const judged = await judgeLines(
    rows,
    (row) => row,
    (row) => {
      inThisTurn += 1;
      return newRow(row);
    },
  );
  isDone = true;
  expect(judged.map(({ name }) => name)).toEqual(rows);
  expect(turns).toBeGreaterThanOrEqual(2_000 / LINES_PER_TURN);
  expect(most).toBeLessThanOrEqual(2 * LINES_PER_TURN);
});

it('a schema is made once, however many cells are read', async () => {
  const made = vi.fn();
  vi.resetModules();
  vi.doMock('../../../shared/schemas/fields.ts', async (original) => {
    const fields = await original<typeof import('../../../shared/schemas/fields.ts')>();
    const name: typeof fields.name = (missing) => {
      made(missing);
      return fields.name(missing);
    };
    return { ...fields, name };
  });
  const { nameReader } = await import('./lines.ts');
  const read = nameReader('respawn.nameRequired');
  for (let at = 0; at < 1_000; at += 1) expect(read(` Spot ${at} `)).toBe(`Spot ${at}`);
  expect(made).toHaveBeenCalledTimes(1);
  vi.doUnmock('../../../shared/schemas/fields.ts');
});
