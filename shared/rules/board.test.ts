import { describe, expect, it } from 'vitest';
import { isOnBoard } from './board.ts';

const TODAY = '2026-11-21';
const EVENT = { id: 7 };

describe('which claims the board shows', () => {
  it.each([
    ['its own, also those that are over', 7, '2026-11-01', true],
    ['none of another event', 8, TODAY, false],
    ['none without an event', null, TODAY, false],
  ])('of an active event: %s', (_, event_id, last_date, shown) => {
    expect(isOnBoard({ event_id }, last_date, { active_event: EVENT, today: TODAY })).toBe(shown);
  });

  it.each([
    ['today', null, TODAY, true],
    ['a later date', null, '2026-11-22', true],
    ['an event that has not ended', 8, TODAY, true],
    ['yesterday', null, '2026-11-20', false],
    ['an event that ended', 8, '2026-11-20', false],
  ])('without one: a claim of %s', (_, event_id, last_date, shown) => {
    expect(isOnBoard({ event_id }, last_date, { active_event: null, today: TODAY })).toBe(shown);
  });
});
