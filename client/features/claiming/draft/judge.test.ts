import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Snapshot } from '../../../../shared/live.ts';
import type { ClaimTime } from '../../../../shared/rules/claim-time.ts';
import { applySnapshot, clearBoard, useBoard } from '../../../state/board-store.ts';
import { aClaim, aConfig, anActiveEvent, aSpot, aType } from '../../../test/records.ts';
import { judge, type Verdict } from './judge.ts';

const DATE = '2026-11-21';
const time: ClaimTime = {
  today: DATE,
  hour: 12,
  horizon_days: 60,
  may_enter_past: false,
  clock: { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 },
};
const claimant = { character_name: 'Arden Vale', member_type: 'member', access_key: 'K' };
const range = { hour_start: 14, hour_end: 17 };
const draft = { respawn_id: 1, date: DATE, claimant, range };
const mira = aClaim({
  id: 1,
  respawn_id: 1,
  character_name: 'Mira Stormcrow',
  hour_start: 16,
  hour_end: 20,
});
const own = aClaim({ id: 2, respawn_id: 2, character_name: 'arden vale', hour_end: 4 });
const attempt = { submission: { claims: [] }, idempotency_key: 'a' };

const judged = (
  change: Partial<Parameters<typeof judge>[0]> = {},
  answers: Partial<Parameters<typeof judge>[1]> = {},
): Verdict => judge({ ...draft, ...change }, { board: useBoard.getState(), time, ...answers });

const boardHas = (change: Snapshot = {}): void => {
  applySnapshot(1, {
    respawn: [aSpot(1, 'Fire Library', 10), aSpot(2, 'Cobra Bastion', 10)],
    event: [anActiveEvent()],
    member_type: [aType('member')],
    config: [aConfig()],
    ...change,
  });
};
beforeEach(() => boardHas());
afterEach(clearBoard);

test('free hours may be submitted', () => {
  expect(judged()).toMatchObject({ hours: range, refusal: null, notice: null, maySubmit: true });
});

test('hours that another claim took are named, and what is left may be submitted', () => {
  boardHas({ claim: [mira] });
  const left = { hour_start: 14, hour_end: 16 };
  expect(judged()).toMatchObject({
    hours: left,
    notice: { kind: 'taken', by: { character_name: 'Mira Stormcrow', hour_end: 20 }, left },
    maySubmit: true,
  });
  expect(judged({ range: { hour_start: 17, hour_end: 19 } })).toMatchObject({
    hours: null,
    notice: { kind: 'taken', left: null },
    maySubmit: false,
  });
});

test('the server’s answers count as the board does', () => {
  const taken = [{ date: DATE, character_name: 'Old Bram', hour_start: 14, hour_end: 15 }];
  expect(judged({}, { taken })).toMatchObject({
    hours: { hour_start: 15, hour_end: 17 },
    notice: { by: { character_name: 'Old Bram' } },
  });
  const held = [
    { respawn_name: 'Elsewhere', first_date: DATE, last_date: DATE, hour_start: 1, hour_end: 2 },
  ];
  expect(judged({}, { held })).toMatchObject({
    notice: { kind: 'own-claims', own: [{ respawn_name: 'Elsewhere', respawn_id: null }] },
    maySubmit: false,
  });
});

test('hours that are over are not left', () => {
  expect(judged({ range: { hour_start: 10, hour_end: 12 } })).toMatchObject({
    hours: null,
    notice: { kind: 'ended' },
    maySubmit: false,
  });
});

test('a character with a claim on the date is refused with it (R4.6)', () => {
  boardHas({ claim: [own] });
  expect(judged()).toMatchObject({
    refusal: { code: 'claim.characterHasClaim' },
    notice: { kind: 'own-claims', own: [{ respawn_name: 'Cobra Bastion', hour_end: 4 }] },
    maySubmit: false,
  });
});

test('a closed submission is refused, also without hours; not an admin’s (R4.2)', () => {
  boardHas({ config: [aConfig({ submission_enabled: 0 })] });
  for (const chosen of [range, null])
    expect(judged({ range: chosen })).toMatchObject({
      notice: { kind: 'refused', refusal: { code: 'claim.submissionDisabled' } },
      maySubmit: false,
    });
  const admin = { ...claimant, access_key: null };
  expect(judged({ claimant: admin }).maySubmit).toBe(true);
});

test('while an answer is open, the submitted claim is no conflict; a lost one may be asked for again', () => {
  boardHas({ claim: [{ ...own, respawn_id: 1, hour_start: 14, hour_end: 17 }] });
  const busy = { status: 'busy', attempt } as const;
  expect(judged({ submission: busy })).toMatchObject({ hours: range, refusal: null, notice: null });
  const unsure = { status: 'unsure', attempt, error: null } as const;
  expect(judged({ submission: unsure })).toMatchObject({
    hours: range,
    notice: { kind: 'failed', failure: unsure },
    maySubmit: true,
  });
  const refused = { status: 'refused', attempt, error: null } as const;
  expect(judged({ submission: refused })).toMatchObject({
    notice: { kind: 'failed' },
    maySubmit: false,
  });
});
