import { expect, test } from 'vitest';
import type { Submission } from '../../shared/schemas/claim.ts';
import { type Attempt, type ClaimDraft, type DraftStep, draftAfter, IDLE } from './claim-draft.ts';

const arden = { character_name: 'Arden Vale', member_type: 'member', access_key: 'K' };
const riley = { character_name: 'Riley Ashdown', member_type: 'elite', access_key: 'R' };
const anchor = document.body;
const hours = (hour_start: number, hour_end: number) => ({ hour_start, hour_end });
const submission: Submission = { claims: [], member_type: 'member', access_key: 'K' };
const attempt: Attempt = { submission, idempotency_key: 'a' };
const failure = { status: 'refused', attempt, error: new Error('no') } as const;

const press: DraftStep = {
  type: 'press',
  respawn_id: 1,
  date: '2026-11-21',
  claimant: arden,
  range: hours(14, 16),
  phase: 'drawing',
  anchor,
};
const pressed: ClaimDraft = {
  respawn_id: 1,
  date: '2026-11-21',
  date_in_view: '2026-11-21',
  claimant: arden,
  range: hours(14, 16),
  wanted: hours(14, 16),
  phase: 'drawing',
  anchor,
  isSentAtOnce: false,
  isTried: false,
  submission: IDLE,
};
const after = (...steps: DraftStep[]): ClaimDraft | null =>
  steps.reduce<ClaimDraft | null>(draftAfter, null);

test('only a press starts a draft; the next one starts another', () => {
  expect(after({ type: 'stretch', range: hours(14, 17) }, { type: 'sent', attempt })).toBeNull();
  expect(after(press)).toEqual(pressed);
  const again = after(press, { type: 'refuse', failure: null }, { ...press, phase: 'asking' });
  expect(again).toEqual({ ...pressed, phase: 'asking' });
});

test('a stretch changes the hours, and the character who may claim them', () => {
  const range = hours(14, 18);
  expect(after(press, { type: 'stretch', range })).toEqual({ ...pressed, range, wanted: range });
  expect(after(press, { type: 'stretch', range, claimant: riley })?.claimant).toBe(riley);
});

test('another date has its own hours, and leaves those that were chosen by hand for the next one', () => {
  const next = after(press, {
    type: 'type',
    change: { date: '2026-11-22', range: hours(14, 15) },
  });
  expect(next).toEqual({ ...pressed, date: '2026-11-22', range: hours(14, 15) });
});

test('while its answer is open the draft stays as it was sent', () => {
  const sent = after(press, { type: 'sent', attempt });
  expect(sent?.submission).toEqual({ status: 'busy', attempt });
  const unsure = draftAfter(sent, { type: 'refuse', failure: { ...failure, status: 'unsure' } });
  for (const open of [sent, unsure]) {
    expect(draftAfter(open, { type: 'stretch', range: hours(1, 2) })).toBe(open);
    expect(draftAfter(open, { type: 'type', change: { claimant: riley } })).toBe(open);
  }
});

test('a refusal stays until the draft changes, whose next try can be the same attempt', () => {
  const refused = after(press, { type: 'sent', attempt }, { type: 'refuse', failure });
  expect(refused).toEqual({ ...pressed, isTried: true, submission: failure });
  const changed = draftAfter(refused, { type: 'type', change: { claimant: riley } });
  expect(changed).toMatchObject({ claimant: riley, submission: { status: 'idle', attempt } });
});

test('the answer to another draft changes nothing', () => {
  const other = after(press, { type: 'sent', attempt: { ...attempt } });
  expect(draftAfter(other, { type: 'refuse', failure })).toBe(other);
  expect(after({ type: 'refuse', failure })).toBeNull();
});
