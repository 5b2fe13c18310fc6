import { expect, it } from 'vitest';
import { formerMembers } from '../auth/changed-members.ts';
import { freedHours } from '../board/freed-hours.ts';
import { deadlineChanges } from '../jobs/deadlines.ts';
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
  const freed = changes.collect(freedHours);
  const former = changes.collect(formerMembers);
  const events = changes.collect(domainEvents);
  events.storeWith(async (all) => {
    published.push(...all.map(({ data }) => ('guild_name' in data ? Number(data.guild_name) : 0)));
  });
  const record = (nth: number): void => {
    changes.remove('claim', nth);
    changes.collect(wakeTimes).push(`${nth}`);
    freed.at(nth, '2026-11-21');
    freed.at(nth, null);
    freed.of(`${nth}`);
    former.set(`${nth}`, 'banned');
    events.report({
      type: 'submission.closed',
      data: { guild_name: `${nth}`, submission_enabled: 0 },
    });
  };
  record(1);
  const discard = changes.mark();
  record(2);
  changes.reset();
  freed.everywhere();
  // First noted after the mark.
  changes.collect(deadlineChanges).moved = true;
  // Events that were stored after the mark are rolled back with the savepoint.
  await events.flush();
  published.length = 0;
  discard();
  expect(stored.map(({ change }) => change)).toEqual([{ op: 'remove', kind: 'claim', id: 1 }]);
  expect([changes.collect(wakeTimes), changes.collect(deadlineChanges)]).toMatchObject([
    ['1'],
    { moved: false },
  ]);
  expect([...former]).toEqual([['1', 'banned']]);
  expect(freed.take()).toEqual({
    everywhere: false,
    waitlists: new Set(['1 2026-11-21']),
    spots: new Set([1]),
    characters: new Set(['1']),
  });
  expect(freed.any).toBe(false);
  await events.flush();
  expect(published).toEqual([1]);
});
