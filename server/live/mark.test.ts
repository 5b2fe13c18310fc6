import { expect, it } from 'vitest';
import { ToldNews } from '../notifications/outbox/told.ts';
import { recorder, type StoredChange } from './change-log.ts';

it('what was recorded after a mark can be taken back, all of it and nothing else', async () => {
  const [stored, due]: [StoredChange[], string[]] = [[], []];
  const told: number[] = [];
  const news = new ToldNews('submission.closed submission.opened', '2026-11-21T18:00:00.000Z', async (all) => {
    told.push(...all.map(({ data }) => ('guild_name' in data ? Number(data.guild_name) : 0)));
  });
  const changes = recorder(stored, due, news);
  const deeds = (nth: number): void => {
    changes.remove('claim', nth);
    changes.due(`${nth}`);
    changes.touched.hours(nth, '2026-11-21');
    changes.touched.spot(nth);
    changes.touched.character(`${nth}`);
    changes.touched.gone(`${nth}`);
    news.tell({ type: 'submission.closed', data: { guild_name: `${nth}`, submission_enabled: 0 } });
  };
  deeds(1);
  const takeBack = changes.mark();
  deeds(2);
  changes.reset();
  changes.touched.all();
  changes.ends.moved = true;
  // Rolled back with the rest: what was told before was stored with it.
  await news.store();
  told.length = 0;
  takeBack();
  expect(stored.map(({ change }) => change)).toEqual([{ op: 'remove', kind: 'claim', id: 1 }]);
  expect([due, changes.ends]).toEqual([['1'], { moved: false }]);
  const noted = { lines: new Set(['1 2026-11-21']), spots: new Set([1]), characters: new Set(['1']), gone: new Set(['1']) };
  expect(changes.touched.take()).toEqual({ all: false, ...noted });
  expect(changes.touched.any).toBe(false);
  await news.store();
  expect(told).toEqual([1]);
});
