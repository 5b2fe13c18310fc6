import { describe, expect, it } from 'vitest';
import { refusalIn } from '../test/refusal-in.ts';
import {
  assertMayOffer,
  assertMayTransfer,
  claimBegins,
  isTransferOutcome,
  mayTransfer,
  OFFERS_A_DAY,
  OFFERS_TO_ONE,
  transferExpiry,
} from './transfer.ts';

const CLOCK = { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 };
const NOW = new Date('2026-11-21T18:00:00.000Z');
const HOUR_MS = 3_600_000;
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR_MS);

describe('an offer of a claim to another character', () => {
  it('is refused after 50 offers within a day, or with 10 open ones to the same character', () => {
    const refusal = (made: number, to_one: number) => refusalIn(() => assertMayOffer({ made, to_one }, 'Bubble'));
    expect([OFFERS_A_DAY, OFFERS_TO_ONE]).toEqual([50, 10]);
    expect(refusal(49, 9)).toBeNull();
    expect(refusal(50, 0)).toEqual({ code: 'transfer.tooOften', params: { max: 50 } });
    expect(refusal(0, 10)).toEqual({ code: 'transfer.tooMany', params: { character_name: 'Bubble', max: 10 } });
  });

  it('R11.1: lasts a day, but ends when one of its claims begins', () => {
    expect(transferExpiry([inHours(48), inHours(30)], NOW)).toEqual(inHours(24));
    expect(transferExpiry([inHours(48), inHours(3)], NOW)).toEqual(inHours(3));
  });
});

describe('R11.1: a claim that may be handed over or swapped', () => {
  const claim = { date: '2026-11-21', is_held: 0, is_secondary_claim: 0 } as const;
  it.each([
    ['has not begun', claim, inHours(1), null],
    ['has not begun by a millisecond', claim, new Date(NOW.getTime() + 1), null],
    ['does not begin now', claim, NOW, 'transfer.begun'],
    ['has not begun long ago', claim, inHours(-1), 'transfer.begun'],
    ['is no hold', { ...claim, is_held: 1 as const }, inHours(1), 'transfer.held'],
    ['is no secondary claim', { ...claim, is_secondary_claim: 1 as const }, inHours(1), 'transfer.secondary'],
  ])('%s, for the server and for the button', (_, offered, begins, code) => {
    expect(refusalIn(() => assertMayTransfer(offered, begins, NOW))?.code ?? null).toBe(code);
    expect(mayTransfer(offered, begins, NOW)).toBe(code === null);
  });

  it('begins with the first hour of its parts, on its first date', () => {
    // SS+10 is 11:00 Pacific time, 19:00 UTC.
    expect(claimBegins([{ hour_start: 14 }, { hour_start: 10 }], '2026-11-21', CLOCK)).toEqual(new Date('2026-11-21T19:00:00.000Z'));
    expect(claimBegins([{ hour_start: 10 }], '2026-11-22', CLOCK)).toEqual(new Date('2026-11-22T19:00:00.000Z'));
  });
});

describe('the outcome of an offer', () => {
  it('is one of those that have a sentence', () => {
    expect(['accepted', 'refused', 'withdrawn', 'expired', 'changed', 'waitlist', 'disabled', 'gone'].every(isTransferOutcome)).toBe(true);
    expect(['open', '', 'constructor', 'toString'].some(isTransferOutcome)).toBe(false);
  });
});
