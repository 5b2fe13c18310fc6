import { describe, expect, it } from 'vitest';
import { isOnBoard, occupiesBoard } from './board.ts';

const TODAY = '2026-11-21';
const EVENT = { id: 7 };

describe('which claims the board shows', () => {
  it.each([
    ['its own, also those that are over', 7, '2026-11-01', true],
    ['none of another event', 8, TODAY, false],
    ['none without an event', null, TODAY, false],
  ])('of an active event: %s', (_, event_id, last_date, isVisible) => {
    expect(isOnBoard({ event_id }, last_date, { active_event: EVENT, today: TODAY })).toBe(
      isVisible,
    );
  });

  it.each([
    ['today', null, TODAY, true],
    ['a later date', null, '2026-11-22', true],
    ['an event that has not ended', 8, TODAY, true],
    ['yesterday', null, '2026-11-20', false],
    ['an event that ended', 8, '2026-11-20', false],
  ])('without one: a claim of %s', (_, event_id, last_date, isVisible) => {
    expect(isOnBoard({ event_id }, last_date, { active_event: null, today: TODAY })).toBe(
      isVisible,
    );
  });
});

describe('a claim that the board does not list', () => {
  const event = {
    id: 7,
    type: 'multiple_claims',
    start_time: '2026-11-20T10:00',
    end_time: '2026-11-28T10:00',
  } as const;
  const dates = (first_date: string, last_date = first_date) => ({ first_date, last_date });
  const other = { event_id: 8, is_secondary_claim: 0 } as const;

  it('R2.6: occupies hours on the board where it is on the active event’s dates', () => {
    expect(occupiesBoard(other, dates('2026-11-20'), event)).toBe(true);
    expect(occupiesBoard({ ...other, event_id: null }, dates('2026-11-28'), event)).toBe(true);
    expect(occupiesBoard(other, dates('2026-11-10', '2026-12-10'), event)).toBe(true);
    expect(occupiesBoard(other, dates('2026-11-19'), event)).toBe(false);
    expect(occupiesBoard(other, dates('2026-11-29'), event)).toBe(false);
    expect(occupiesBoard({ ...other, is_secondary_claim: 1 }, dates('2026-11-20'), event)).toBe(
      false,
    );
    expect(occupiesBoard({ ...other, event_id: 7 }, dates('2026-11-20'), event)).toBe(false);
    expect(occupiesBoard(other, dates('2026-11-20'), null)).toBe(false);
  });
});
