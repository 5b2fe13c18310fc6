import { describe, expect, it } from 'vitest';
import { omit } from '../../../shared/omit.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { ClaimInput, ClaimRow } from '../../../shared/schemas/claim.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  aName,
  aSpot,
  submit,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, TODAY } from '../../dev/test/test-app.ts';

type Part = [respawn_id: number, hour_start: number, duration: number];

/** A claim split into these parts, today. */
function aSplit(key: AccessKey, ...parts: Part[]): Partial<ClaimInput> {
  const split_parts = parts.map(([respawn_id, hour_start, duration], i) => ({
    part_number: i + 1,
    respawn_id,
    hour_start,
    duration,
  }));
  const claim = aClaim(key, { respawn_id: parts[0]?.[0] ?? 1 });
  return { ...omit(claim, 'hour_start', 'hour_end'), is_split_claim: 1, split_parts };
}

describe.each(databases)('a split claim on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const dayOf = async (respawn_id: number) =>
    (await app.api.get(`/respawns/${respawn_id}/claims/${TODAY}`).set(app.admin).expect(200)).body
      .data;

  it('R5.1: is one claim with two parts, each on its respawn', async () => {
    const key = await aKey(app);
    const here = aSpot();
    const there = aSpot();
    const rows = await submitted(app, key, aSplit(key, [here, 10, 2], [there, 14, 2]));
    const id = rows[0]?.id ?? 0;
    const split_parts = [
      { part_number: 1, respawn_id: here, hour_start: 10, duration: 2 },
      { part_number: 2, respawn_id: there, hour_start: 14, duration: 2 },
    ];
    expect(rows).toMatchObject([
      {
        id,
        respawn_id: here,
        hour_start: 10,
        hour_end: 12,
        is_split_claim: 1,
        split_group_id: id,
        split_part_number: 1,
        split_parts,
      },
      {
        id,
        respawn_id: there,
        hour_start: 14,
        hour_end: 16,
        is_split_claim: 1,
        split_group_id: id,
        split_part_number: 2,
        split_parts,
      },
    ]);
    expect(await dayOf(there)).toMatchObject([
      { id, respawn_id: there, hour_start: 14, hour_end: 16 },
    ]);
  });

  it('“split_claims (parts with split_group_id and split_part_number)”: every call that lists claims names both parts, only of split ones', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const here = aSpot();
    const there = aSpot();
    const split = await submitted(app, key, aSplit(key, [here, 10, 2], [there, 14, 2]));
    const whole = await submitted(
      app,
      other,
      aClaim(other, { respawn_id: here, hour_start: 12, hour_end: 16 }),
    );
    const split_group_id = split[0]?.id ?? 0;
    const split_claims = [
      { split_group_id, split_part_number: 1, respawn_id: here, hour_start: 10, hour_end: 12 },
      { split_group_id, split_part_number: 2, respawn_id: there, hour_start: 14, hour_end: 16 },
    ];
    const boardOf = async (): Promise<ClaimRow[]> =>
      (await app.api.get('/respawns').set(app.admin).expect(200)).body.flatMap(
        ({ claims }: { claims: ClaimRow[] }) => claims,
      );
    const listed = async (): Promise<ClaimRow[]> =>
      (await app.api.get('/admin/claims').set(app.admin).expect(200)).body.data;
    for (const rows of [[...split, ...whole], await dayOf(here), await boardOf(), await listed()]) {
      const [ofSplit, ofWhole] = [split_group_id, whole[0]?.id].map((id) =>
        rows.filter((row: ClaimRow) => row.id === id),
      );
      expect(ofSplit?.length).toBeGreaterThan(0);
      for (const row of ofSplit ?? []) expect(row.split_claims).toEqual(split_claims);
      expect(ofWhole).toHaveLength(1);
      expect(Object.keys(ofWhole?.[0] ?? {})).not.toContain('split_claims');
    }
  });

  it('R7.1, R5.1: occupies the hours of both parts', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const here = aSpot();
    const there = aSpot();
    await submitted(app, key, aSplit(key, [here, 10, 2], [there, 14, 2]));
    for (const [respawn_id, hour_start] of [
      [here, 11],
      [there, 15],
    ] as const) {
      const answer = await submit(
        app,
        other,
        aClaim(other, { respawn_id, hour_start, hour_end: hour_start + 1 }),
      );
      expect(answer.body.code).toBe('claim.timeConflict');
    }
    await submitted(app, other, aClaim(other, { respawn_id: here, hour_start: 12, hour_end: 16 }));
  });

  it('R4.6: is the character’s claim of its date', async () => {
    const key = await aKey(app);
    await submitted(app, key, aSplit(key, [aSpot(), 10, 2], [aSpot(), 14, 2]));
    const { body } = await submit(app, key, aClaim(key, { respawn_id: aSpot() }));
    expect([body.code, body.params.claims.length]).toEqual(['claim.characterHasClaim', 2]);
  });

  it('R4.12: is deleted as a whole, and frees both respawns', async () => {
    const key = await aKey(app);
    const here = aSpot();
    const there = aSpot();
    const [first] = await submitted(app, key, aSplit(key, [here, 10, 2], [there, 14, 2]));
    await app.api.delete(`/admin/claims/${first?.id}`).set(app.admin).expect(200);
    expect([await dayOf(here), await dayOf(there)]).toEqual([[], []]);
    await submitted(app, key, aSplit(key, [here, 10, 2], [there, 14, 2]));
  });

  it('may have both parts on one respawn, and then counts once', async () => {
    const key = await aKey(app);
    const here = aSpot();
    await submitted(app, key, aSplit(key, [here, 10, 2], [here, 12, 2]));
    expect(await dayOf(here)).toHaveLength(2);
    const { body } = await app.api.get('/admin/respawns').set(app.admin);
    expect(body.data.find((each: { id: number }) => each.id === here).total_claims).toBe(1);
  });

  const overlap = (a: string, b: string): string =>
    `Overlap between Part 1 (SS+${a}) and Part 2 (SS+${b}). A player cannot be in two places at the same time.`;
  it.each<[string, Part[], string, string]>([
    ['R5.1: with one part', [[1, 10, 2]], 'split.twoParts', 'A split claim has exactly two parts.'],
    [
      'R5.1: with three parts',
      [
        [1, 2, 1],
        [2, 6, 1],
        [3, 10, 1],
      ],
      'split.twoParts',
      'A split claim has exactly two parts.',
    ],
    [
      'R5.2: longer than the voucher',
      [
        [1, 2, 3],
        [2, 10, 2],
      ],
      'split.exceedsVoucher',
      'The two parts together can last at most 4 h.',
    ],
    [
      'R5.3: past SS+24',
      [
        [1, 2, 2],
        [2, 23, 2],
      ],
      'split.exceedsDay',
      'Split part 2: Start time SS+23 with 2-hour duration would exceed SS+24. Please choose an earlier start time.',
    ],
    [
      'R5.4: in two places at once',
      [
        [1, 10, 2],
        [2, 11, 2],
      ],
      'split.overlap',
      overlap('10-12', '11-13'),
    ],
    [
      'R5.4: twice at once on one spot',
      [
        [1, 10, 2],
        [1, 10, 2],
      ],
      'split.overlap',
      overlap('10-12', '10-12'),
    ],
  ])('%s is refused', async (_, parts, code, sentence) => {
    const key = await aKey(app);
    const answer = await expectNoTick(app, () => submit(app, key, aSplit(key, ...parts)));
    expect({ status: answer.status, code: answer.body.code, error: answer.body.error }).toEqual({
      status: 400,
      code,
      error: sentence,
    });
    expectRefusal(answer, 400, answer.body.code, sentence);
  });

  it('with a part that has no respawn is refused', async () => {
    const key = await aKey(app);
    const answer = await submit(app, key, aSplit(key, [1, 10, 2], [0, 14, 2]));
    expectRefusal(answer, 400, 'claim.selectRespawn', 'Please select a respawn', {
      field: 'claims.0.split_parts.1.respawn_id',
    });
  });

  it('R5.1: of a one-hour voucher is refused', async () => {
    const key = await aKey(app, aName(), await aMemberType(app, { voucher_duration_hours: 1 }));
    const answer = await submit(app, key, aSplit(key, [aSpot(), 10, 1], [aSpot(), 14, 1]));
    expectRefusal(answer, 400, 'split.voucherTooShort', "A one-hour voucher can't be split.", {});
  });

  it('R4.7, R4.8: that runs into a claim is refused whole, naming the part', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const here = aSpot();
    const there = aSpot();
    await submitted(app, other, aClaim(other, { respawn_id: there, hour_start: 15, hour_end: 16 }));
    const answer = await expectNoTick(app, () =>
      submit(app, key, aSplit(key, [here, 10, 2], [there, 14, 2])),
    );
    const sentence = `Split part 2: Time conflict detected for ${TODAY} at SS+14. There is already a claim that overlaps this time.`;
    expectRefusal(answer, 409, 'split.timeConflict', sentence, { date: TODAY, hour: 14, part: 2 });
    expect(await dayOf(here)).toEqual([]);
  });

  it('R4.10: with a part on a deleted respawn is refused', async () => {
    const key = await aKey(app);
    const answer = await submit(app, key, aSplit(key, [aSpot(), 10, 2], [99_999, 14, 2]));
    expectRefusal(answer, 404, 'respawn.notFound', 'This spot no longer exists.', {
      respawn_id: 99_999,
    });
  });
});
