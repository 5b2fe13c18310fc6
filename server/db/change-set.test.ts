import { expect, it } from 'vitest';
import { affectedWaitlists } from '../board/affected-waitlists.ts';
import { deadlineChanges, deadlineMoved } from '../jobs/deadlines.ts';
import { wakeTimes } from '../jobs/job-store.ts';
import { domainEvents } from './domain-events.ts';
import { type ClockRow, recordChanges, type StoredChange } from './unit-of-work.ts';

const clock: ClockRow = {
  value: 1,
  board_date: '2026-11-21',
  open_waits: 0,
  next_due: null,
  subscribed_types: 'submission.closed submission.opened',
  schema: null,
};
const start = { at: new Date('2026-11-21T18:00:00.000Z'), clock };

it('a mark discards later records and notes, and nothing else', async () => {
  const stored: StoredChange[] = [];
  const published: number[] = [];
  const changes = recordChanges(stored, start);
  const [affected, events] = [changes.collect(affectedWaitlists), changes.collect(domainEvents)];
  events.storeWith(async (all) => {
    published.push(...all.map(({ data }) => ('guild_name' in data ? Number(data.guild_name) : 0)));
  });
  const record = (nth: number): void => {
    changes.remove('claim', nth);
    changes.collect(wakeTimes).push(`${nth}`);
    affected.hours(nth, '2026-11-21');
    affected.spot(nth);
    affected.character(`${nth}`);
    affected.gone(`${nth}`);
    events.report({
      type: 'submission.closed',
      data: { guild_name: `${nth}`, submission_enabled: 0 },
    });
  };
  record(1);
  const discard = changes.mark();
  record(2);
  changes.reset();
  affected.all();
  // First noted after the mark.
  deadlineMoved({ changes });
  // Events that were stored after the mark are rolled back with the savepoint.
  await events.flush();
  published.length = 0;
  discard();
  expect(stored.map(({ change }) => change)).toEqual([{ op: 'remove', kind: 'claim', id: 1 }]);
  expect([changes.collect(wakeTimes), changes.collect(deadlineChanges)]).toMatchObject([
    ['1'],
    { moved: false },
  ]);
  const noted = {
    waitlists: new Set(['1 2026-11-21']),
    spots: new Set([1]),
    turned: new Set([1]),
    deleted: new Map(),
    characters: new Set(['1']),
    gone: new Set(['1']),
    returned: new Map(),
  };
  expect(affected.take()).toEqual({ all: false, ...noted });
  expect(affected.any).toBe(false);
  await events.flush();
  expect(published).toEqual([1]);
});
