import { expect, it } from 'vitest';
import { advance, type CalendarEvent, type ClaimPart, MAX_EVENTS } from './events.ts';

const DATE = '2026-11-21';
const moment = (sequence: number) => ({
  from: '2026-10-22',
  to: '2027-02-19',
  at: `2026-11-21T18:00:${10 + sequence}.000Z`,
  sequence,
});
const place = (claim_id: number, hour_start: number, part_number = 1): ClaimPart => ({
  claim_id,
  date: DATE,
  part_number,
  respawn_id: 1,
  respawn_name: 'Spot',
  hour_start,
  hour_end: hour_start + 1,
  is_secondary: false,
  starts_at: `2026-11-21T${10 + hour_start}:00:00.000Z`,
  ends_at: `2026-11-21T${11 + hour_start}:00:00.000Z`,
});
const inShort = (events: readonly CalendarEvent[]) =>
  events.map(({ claim_id, slot, hour_start, sequence, is_cancelled }) => [
    claim_id,
    slot,
    hour_start,
    sequence,
    is_cancelled,
  ]);

it('the part that is left of a split claim stays its event, and so does each when the whole is back', () => {
  const both = advance([], [place(1, 2), place(1, 6, 2)], moment(1));
  const left = advance(both.events, [place(1, 6)], moment(2));
  expect(inShort(left.events)).toEqual([
    [1, 1, 2, 2, true],
    [1, 2, 6, 1, false],
  ]);
  const back = advance(left.events, [place(1, 2), place(1, 6, 2)], moment(3));
  expect(inShort(back.events)).toEqual([
    [1, 1, 2, 3, false],
    [1, 2, 6, 1, false],
  ]);
  expect(back.hasChanged).toBe(true);
  expect(advance(back.events, [place(1, 2), place(1, 6, 2)], moment(4))).toEqual({
    events: back.events,
    hasChanged: false,
  });
});

it('events before its dates are left out', () => {
  const { events } = advance([], [place(1, 2)], moment(1));
  expect(advance(events, [], { ...moment(2), from: '2026-11-22' })).toEqual({
    events: [],
    hasChanged: false,
  });
});

it(`a calendar has ${MAX_EVENTS} events at most: all confirmed ones, then those cancelled last`, () => {
  let events: CalendarEvent[] = [];
  for (let round = 1; round <= 5; round += 1) {
    const made = Array.from({ length: 300 }, (_, n) => place(round * 1_000 + n, 2));
    events = advance(events, made, moment(round)).events;
    expect(events.length).toBeLessThanOrEqual(MAX_EVENTS);
  }
  expect(events).toHaveLength(MAX_EVENTS);
  expect(events.filter(({ is_cancelled }) => !is_cancelled)).toHaveLength(300);
  expect([...new Set(events.map(({ claim_id }) => Math.floor(claim_id / 1_000)))].sort()).toEqual([
    2, 3, 4, 5,
  ]);
});
