import { describe, expect, it } from 'vitest';
import { errors } from '../error-codes.ts';
import { DomainError, type ErrorCode } from '../errors.ts';
import type { Claim } from '../schemas/claim.ts';
import { aClaim } from '../test/a-claim.ts';
import { refusalIn } from '../test/refusal-in.ts';
import { eventOf, factsOf, typeOf } from '../test/submission-facts.ts';
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
import { assertMayHaveSecondaries, namingRecipient, planTransfer } from './transfer-plan.ts';

const CLOCK = { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 };
const NOW = new Date('2026-11-21T18:00:00.000Z');
const HOUR_MS = 3_600_000;
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR_MS);

describe('an offer of a claim to another character', () => {
  it('is refused after 50 offers within a day, or with 10 open ones to the same character', () => {
    const refusal = (made: number, to_one: number) =>
      refusalIn(() => assertMayOffer({ made, to_one }, 'Bubble'));
    expect([OFFERS_A_DAY, OFFERS_TO_ONE]).toEqual([50, 10]);
    expect(refusal(49, 9)).toBeNull();
    expect(refusal(50, 0)).toEqual({ code: 'transfer.tooOften', params: { max: 50 } });
    expect(refusal(0, 10)).toEqual({
      code: 'transfer.tooMany',
      params: { character_name: 'Bubble', max: 10 },
    });
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
    [
      'is no secondary claim',
      { ...claim, is_secondary_claim: 1 as const },
      inHours(1),
      'transfer.secondary',
    ],
  ])('%s, for the server and for the button', (_, offered, begins, code) => {
    expect(refusalIn(() => assertMayTransfer(offered, begins, NOW))?.code ?? null).toBe(code);
    expect(mayTransfer(offered, begins, NOW)).toBe(code === null);
  });

  it('begins with the first hour of its parts, on its first date', () => {
    // SS+10 is 11:00 Pacific time, 19:00 UTC.
    expect(claimBegins([{ hour_start: 14 }, { hour_start: 10 }], '2026-11-21', CLOCK)).toEqual(
      new Date('2026-11-21T19:00:00.000Z'),
    );
    expect(claimBegins([{ hour_start: 10 }], '2026-11-22', CLOCK)).toEqual(
      new Date('2026-11-22T19:00:00.000Z'),
    );
  });
});

describe('the outcome of an offer', () => {
  it('is one of those that have a sentence', () => {
    expect(
      [
        'accepted',
        'refused',
        'withdrawn',
        'expired',
        'changed',
        'waitlist',
        'disabled',
        'gone',
      ].every(isTransferOutcome),
    ).toBe(true);
    expect(['open', '', 'constructor', 'toString'].some(isTransferOutcome)).toBe(false);
  });
});

describe('R11.3: a claim that is handed over', () => {
  const member = typeOf();
  const elite = typeOf({ member_type: 'elite' });
  const secondary = aClaim({
    id: 2,
    respawn_id: 2,
    hour_start: 20,
    hour_end: 24,
    is_secondary_claim: 1,
    secondary_priority: 5,
  });
  const plan = (
    claim: Claim,
    secondaries: Claim[] = [],
    { type = member, ...facts }: Parameters<typeof factsOf>[0] & { type?: typeof member } = {},
  ) => planTransfer({ claim, secondaries }, { character_name: 'Bubble', type }, factsOf(facts));
  const refusal = (...args: Parameters<typeof plan>) =>
    refusalIn(() => plan(...args))?.code ?? null;

  it('is judged as if its new holder submitted it', () => {
    expect(plan(aClaim({ hour_end: 13 }))).toMatchObject([
      {
        character_name: 'Bubble',
        member_type: 'member',
        date: '2026-11-21',
        parts: [{ respawn_id: 1, hour_start: 10, hour_end: 13 }],
      },
    ]);
    expect(refusal(aClaim({ hour_end: 15 }))).toBe('claim.durationOutOfRange');
    expect(refusal(aClaim(), [], { type: typeOf({ can_submit: 0 }) })).toBe(
      'claim.typeMayNotSubmit',
    );
    expect(refusal(aClaim(), [], { today: '2026-11-22' })).toBe('claim.dateOver');
  });

  it('is a split claim, if it was one', () => {
    const split_parts = [10, 20].map((hour_start, i) => ({
      part_number: i + 1,
      respawn_id: i + 1,
      hour_start,
      duration: 2,
    }));
    expect(plan(aClaim({ hour_end: 12, is_split_claim: 1, split_parts }))).toMatchObject([
      {
        is_split_claim: 1,
        parts: [
          { respawn_id: 1, hour_start: 10, hour_end: 12 },
          { respawn_id: 2, hour_start: 20, hour_end: 22 },
        ],
      },
    ]);
  });

  it('takes its secondary claims along, if the type of the new holder may have them', () => {
    expect(
      plan(aClaim(), [secondary], { type: elite }).map(({ is_secondary_claim, parts }) => [
        is_secondary_claim,
        parts[0]?.respawn_id,
      ]),
    ).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(refusal(aClaim(), [secondary])).toBe('secondary.typeNotAllowed');
    for (const [type, code] of [
      [member, 'secondary.typeNotAllowed'],
      [typeOf({ member_type: 'elite', allow_secondary_claims: 0 }), 'secondary.typeNotAllowed'],
      [elite, null],
    ] as const)
      expect(refusalIn(() => assertMayHaveSecondaries([secondary], type))?.code ?? null).toBe(code);
    expect(refusalIn(() => assertMayHaveSecondaries([], member))).toBeNull();
  });

  it('keeps its event: one from before an event was activated stays without one', () => {
    const active_event = eventOf({ start_time: '2026-11-25T10:00' });
    expect(plan(aClaim(), [], { active_event })[0]?.event_id).toBeNull();
    expect(plan(aClaim({ event_id: 7 }), [], { active_event: eventOf() })[0]?.event_id).toBe(7);
    expect(refusal(aClaim({ event_id: 7 }), [], { active_event })).toBe('claim.dateOutsideEvent');
    expect(refusal(aClaim({ event_id: 8 }), [], { active_event })).toBe('event.notActive');
  });
});

describe('a refusal of an offer', () => {
  it.each<[ErrorCode, boolean]>([
    ['claim.characterHasClaim', true],
    ['claim.typeMayNotSubmit', true],
    ['claim.beforeEarliestDate', true],
    ['claim.durationOutOfRange', true],
    ['secondary.typeNotAllowed', true],
    ['hold.isYours', true],
    ['budget.day', true],
    ['budget.event', true],
    ['claim.timeConflict', false],
    ['claim.submissionDisabled', false],
  ])('%s is about the character: %s', (code, isTheirs) => {
    expect(errors[code].about === 'character').toBe(isTheirs);
  });

  it('names the other character if it is about that one, and is otherwise left as it is', () => {
    const about = new DomainError('budget.day', { limit: 3 });
    expect(namingRecipient(about, 'Bubble', 'Arden Vale')).toMatchObject({
      code: 'transfer.cannotHave',
      params: { character_name: 'Bubble', reason: 'budget.day' },
    });
    expect(namingRecipient(about, 'Bubble', 'BUBBLE')).toBe(about);
    const other = new DomainError('claim.submissionDisabled');
    expect(namingRecipient(other, 'Bubble', 'Arden Vale')).toBe(other);
    const failure = new Error('no answer');
    expect(namingRecipient(failure, 'Bubble', 'Arden Vale')).toBe(failure);
  });
});
