import { expect, test } from 'vitest';
import { anEnding } from '../../test/records.ts';
import { pastEntries } from './claim-history.tsx';

const PACIFIC = { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 };

test('a claim for a whole event is dated by the server-save date of its end, not by the UTC date', () => {
  const beforeTheSave = anEnding({ id: 1, date: null, ended_at: '2026-11-21T08:59:00Z' });
  const afterTheSave = anEnding({ id: 2, date: null, ended_at: '2026-11-21T09:00:00Z' });
  const dated = anEnding({ id: 3, date: '2026-11-20', hour_start: 4 });
  const entries = pastEntries([beforeTheSave, afterTheSave, dated], [], PACIFIC);
  expect(entries.map(({ key, day }) => [key, day])).toEqual([
    ['claim 2', '2026-11-21'],
    ['claim 1', '2026-11-20'],
    ['claim 3', '2026-11-20'],
  ]);
});
