import { expect, it } from 'vitest';
import { recorder, type StoredChange } from './change-log.ts';

it('what was recorded after a mark can be taken back, all of it and nothing else', () => {
  const [stored, due]: [StoredChange[], string[]] = [[], []];
  const changes = recorder(stored, due);
  const deeds = (nth: number): void => {
    changes.remove('claim', nth);
    changes.due(`${nth}`);
    changes.touched.hours(nth, '2026-11-21');
    changes.touched.spot(nth);
    changes.touched.character(`${nth}`);
    changes.touched.gone(`${nth}`);
  };
  deeds(1);
  const takeBack = changes.mark();
  deeds(2);
  changes.reset();
  changes.touched.all();
  changes.ends.moved = true;
  takeBack();
  expect(stored.map(({ change }) => change)).toEqual([{ op: 'remove', kind: 'claim', id: 1 }]);
  expect([due, changes.ends]).toEqual([['1'], { moved: false }]);
  const noted = { lines: new Set(['1 2026-11-21']), spots: new Set([1]), characters: new Set(['1']), gone: new Set(['1']) };
  expect(changes.touched.take()).toEqual({ all: false, ...noted });
  expect(changes.touched.any).toBe(false);
});
