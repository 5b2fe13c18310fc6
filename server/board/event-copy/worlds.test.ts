import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { ClaimInput, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { EventCopied } from '../../../shared/schemas/event-copy.ts';
import {
  aName,
  anActiveEvent,
  aSpot,
  noActiveEvent,
  submitAsAdmin,
} from '../../dev/test/builders.ts';
import type { databases } from '../../dev/test/databases.ts';
import { createSuiteApp, type TestApp } from '../../dev/test/test-app.ts';

const FIRST = '2026-12-01';
const DAYS = 4;

const place = { spot: fc.nat(2), start: fc.nat(23), length: fc.integer({ min: 1, max: 4 }) };
const drawnClaim = fc.record({
  who: fc.nat(4),
  day: fc.nat(DAYS - 1),
  kind: fc.constantFrom('whole', 'split', 'secondary'),
  ...place,
  other: fc.record(place),
});
const world = fc.record({
  claims: fc.array(drawnClaim, { minLength: 4, maxLength: 14 }),
  /** Existing claims on the copy's dates: other characters', and the guild's own. */
  obstacles: fc.array(fc.record({ who: fc.nat(6), day: fc.nat(DAYS - 1), ...place }), {
    maxLength: 6,
  }),
  shift: fc.integer({ min: 1, max: 8 }),
  days: fc.integer({ min: 1, max: DAYS }),
  single: fc.boolean(),
  voucher: fc.integer({ min: 2, max: 5 }),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

const rowsOf = async (app: TestApp, id: number): Promise<ClaimRow[]> =>
  (await app.api.get(`/events/${id}/claims`).set(app.admin).expect(200)).body.data;
const remove = (app: TestApp, id: number) =>
  app.api.delete(`/events/${id}`).set(app.admin).expect(200);
const COMPARED_FIELDS = [
  'character_name',
  'date',
  'respawn_id',
  'hour_start',
  'hour_end',
  'is_secondary_claim',
  'split_part_number',
  'custom_duration',
  'voucher_duration',
] as const;
const summaryOf = (rows: readonly ClaimRow[]): string[] =>
  rows.map((row) => COMPARED_FIELDS.map((field) => row[field]).join(' ')).sort();

const setVoucher = (app: TestApp, voucher_duration_hours: number) =>
  app.api
    .put('/admin/member-types/elite')
    .set(app.admin)
    .send({ voucher_duration_hours })
    .expect(200);

/** Submits the claims one by one; refused ones are skipped. */
async function play(
  app: TestApp,
  { claims, single }: World,
  names: string[],
  spots: number[],
): Promise<void> {
  for (const { who, day, kind, spot, start, length, other } of claims) {
    const character_name = names[who] ?? '';
    const date = single ? null : addDays(FIRST, day);
    const at = {
      character_name,
      date,
      respawn_id: spots[spot] ?? 0,
      hour_start: start,
      hour_end: start + length,
    };
    const second = { ...at, respawn_id: spots[other.spot] ?? 0, hour_start: other.start };
    const split_parts = [
      {
        part_number: 1,
        respawn_id: at.respawn_id,
        hour_start: start,
        duration: Math.min(2, length),
      },
      {
        part_number: 2,
        respawn_id: second.respawn_id,
        hour_start: other.start,
        duration: Math.min(2, other.length),
      },
    ];
    if (kind === 'split')
      await submitAsAdmin(app, 'elite', { ...at, is_split_claim: 1, split_parts });
    else
      await submitAsAdmin(
        app,
        'elite',
        at,
        ...(kind === 'secondary'
          ? [{ ...second, is_secondary_claim: 1 as const, hour_end: null }]
          : []),
      );
  }
}

/** The submission of the claim, so many days later. */
function inputOf(rows: readonly ClaimRow[], shift: number): Partial<ClaimInput> {
  const [row] = rows;
  if (!row) throw new Error('a claim has a row');
  const { character_name, respawn_id, hour_start, hour_end, is_secondary_claim, is_split_claim } =
    row;
  const split_parts = rows.map((part) => ({
    part_number: part.split_part_number ?? 1,
    respawn_id: part.respawn_id,
    hour_start: part.hour_start,
    duration: part.hour_end - part.hour_start,
  }));
  const date = row.date === null ? null : addDays(row.date, shift);
  return {
    character_name,
    date,
    respawn_id,
    hour_start,
    hour_end,
    is_secondary_claim,
    is_split_claim,
    ...(is_split_claim ? { split_parts } : {}),
  };
}

/** The same claims submitted by hand, one after the other, a secondary one with its primary. */
async function submitEach(app: TestApp, rows: readonly ClaimRow[], shift: number): Promise<void> {
  const units = [...Map.groupBy(rows, ({ id }) => id).values()].map((parts) => ({
    row: parts[0],
    input: inputOf(parts, shift),
  }));
  for (const { row, input } of units.filter(({ row }) => !row?.is_secondary_claim)) {
    const beside = units.filter(
      (unit) =>
        unit.row?.is_secondary_claim &&
        unit.row.date === row?.date &&
        unit.row.character_name === row?.character_name,
    );
    const { status } = await submitAsAdmin(
      app,
      'elite',
      input,
      ...beside.map((unit) => unit.input),
    );
    if (status !== 201) await submitAsAdmin(app, 'elite', input);
  }
}

async function tryWorld(app: TestApp, drawn: World): Promise<void> {
  const { obstacles, shift, days, single, voucher } = drawn;
  await noActiveEvent(app);
  await setVoucher(app, 4);
  const names = Array.from({ length: 7 }, () => aName('Wanderer'));
  const spots = [aSpot(), aSpot(), aSpot()];
  const type = single ? ('single_claim' as const) : ('multiple_claims' as const);
  const source = await anActiveEvent(app, {
    type,
    start_time: FIRST,
    end_time: addDays(FIRST, DAYS - 1),
  });
  await play(app, drawn, names, spots);
  await noActiveEvent(app);
  const start_time = addDays(FIRST, shift);
  for (const { who, day, spot, start, length } of obstacles) {
    const claim = {
      date: addDays(start_time, day),
      respawn_id: spots[spot] ?? 0,
      hour_start: start,
      hour_end: start + length,
    };
    await submitAsAdmin(app, 'elite', { ...claim, character_name: names[who] ?? '' });
  }
  await setVoucher(app, voucher);
  const rows = await rowsOf(app, source.id);
  const period = { start_time, end_time: addDays(start_time, days - 1) };
  const copy = async (preview: boolean): Promise<EventCopied> => {
    const body = { name: aName('Copy'), ...period, claims: 'all', preview };
    return (
      await app.api.post(`/admin/events/${source.id}/copy`).set(app.admin).send(body).expect(200)
    ).body.data;
  };
  const preview = await copy(true);
  const made = await copy(false);
  expect(made.claims).toEqual(preview.claims.filter(({ refusal }) => refusal !== null));
  expect([made.copied, made.left_out]).toEqual([preview.copied, preview.left_out]);
  const copied = await rowsOf(app, made.event?.id ?? 0);
  await remove(app, made.event?.id ?? 0);
  const byHand = await anActiveEvent(app, { type, ...period });
  await submitEach(app, rows, shift);
  expect(summaryOf(copied)).toEqual(summaryOf(await rowsOf(app, byHand.id)));
  for (const { id } of [byHand, source]) await remove(app, id);
}

describe.each([
  ['sqlite', 10],
  ['postgres', 3],
] as const satisfies readonly (readonly [(typeof databases)[number], number])[])(
  'a copy of any event on %s',
  (dialect, numRuns) => {
    const app = createSuiteApp(dialect);

    it('R3.11: copies exactly the claims that a submission would accept, as its preview says', async () => {
      await fc.assert(
        fc.asyncProperty(world, (drawn) => tryWorld(app, drawn)),
        { numRuns, endOnFailure: true },
      );
    }, 120_000);
  },
);
