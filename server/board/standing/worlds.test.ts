import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { aClaim, aKey, anEvent, asMember, submit } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { sized } from '../../dev/test/scope.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { wrongCounts, wrongOccupancy } from '../claims/consistency.ts';
import { allowStanding } from './test/standing.ts';

type Step =
  | { do: 'state'; key: number; spot: number; weekdays: number[]; hour: number; join: boolean }
  | { do: 'pause' | 'resume' | 'end' | 'end and release' | 'move'; nth: number }
  | { do: 'claim'; key: number; spot: number; day: number; hour: number }
  | { do: 'delete claim'; nth: number }
  | { do: 'next day' | 'later'; days: number }
  | { do: 'activate' | 'deactivate'; event: number }
  | { do: 'voucher'; hours: number }
  | { do: 'spot'; spot: number; on: boolean }
  | { do: 'key'; key: number; on: boolean }
  | { do: 'ahead'; days: number };

const key = fc.nat(4);
const spot = fc.integer({ min: 1, max: 3 });
const hour = fc.integer({ min: 0, max: 20 });
const nth = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('state' as const),
      key,
      spot,
      hour,
      join: fc.boolean(),
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('pause', 'resume', 'end', 'end and release', 'move'),
      nth,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('claim' as const), key, spot, day: fc.nat(16), hour }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete claim' as const), nth }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('next day', 'later'),
      days: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('activate', 'deactivate'), event: fc.nat(1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('voucher' as const),
      hours: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('spot' as const), spot, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('key' as const), key, on: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('ahead' as const),
      days: fc.integer({ min: 1, max: 14 }),
    }),
  },
);

interface World {
  app: TestApp;
  keys: AccessKey[];
  events: number[];
  today: string;
}

async function play(world: World, one: Step): Promise<unknown> {
  const { app, keys, events } = world;
  const put = (path: string, body: object) => app.api.put(path).set(app.admin).send(body);
  const holder = (n: number): AccessKey => keys[n] ?? keys[0] ?? expect.fail();
  switch (one.do) {
    case 'state':
      return app.api
        .post('/standing')
        .set(asMember(holder(one.key)))
        .send({
          respawn_id: one.spot,
          weekdays: one.weekdays,
          hour_start: one.hour,
          hour_end: one.hour + 3,
          join_waitlist: one.join,
        });
    case 'pause':
    case 'resume':
    case 'move':
    case 'end':
    case 'end and release': {
      const { body } = await app.api.get('/admin/standing').set(app.admin).expect(200);
      const id = body.data[one.nth % Math.max(body.data.length, 1)]?.id ?? 1;
      if (one.do === 'end') return app.api.delete(`/standing/${id}`).set(app.admin);
      if (one.do === 'end and release')
        return app.api.delete(`/standing/${id}?claims=release`).set(app.admin);
      return put(
        `/standing/${id}`,
        one.do === 'move' ? { weekdays: [1 + (one.nth % 7)] } : { is_paused: one.do === 'pause' },
      );
    }
    case 'claim': {
      const member = holder(one.key);
      const at = {
        respawn_id: one.spot,
        date: addDays(world.today, one.day),
        hour_start: one.hour,
        hour_end: one.hour + 3,
      };
      return submit(app, member, aClaim(member, at));
    }
    case 'delete claim': {
      const claims = await app.ctx.db.selectFrom('claims').select('id').orderBy('id').execute();
      return app.api
        .delete(`/admin/claims/${claims[one.nth % Math.max(claims.length, 1)]?.id ?? 1}`)
        .set(app.admin);
    }
    case 'next day':
    case 'later':
      world.today = addDays(world.today, one.do === 'later' ? one.days : 1);
      // A job that leaves work for later goes on a moment later.
      for (const second of ['01', '02', '03', '04']) {
        app.setNow(`${world.today}T10:00:${second}.000Z`);
        await app.runDue();
      }
      return undefined;
    case 'activate':
    case 'deactivate':
      return app.api.post(`/events/${events[one.event]}/${one.do}`).set(app.admin);
    case 'voucher':
      return put('/admin/member-types/member', { voucher_duration_hours: one.hours });
    case 'spot':
      return put(`/admin/respawns/${one.spot}`, { is_enabled: one.on });
    case 'key':
      return put(`/admin/access-keys/${holder(one.key).id}/${one.on ? 'enable' : 'revoke'}`, {});
    case 'ahead':
      return put('/admin/config', { standing_days_ahead: one.days });
  }
}

/** Claims that standing claims made, by standing claim and date, of all that were ever made: existing and ended ones. */
async function madeTwice({ ctx }: TestApp): Promise<string[]> {
  const existing = await ctx.db
    .selectFrom('claims')
    .select(['id as claim_id', 'standing_id', 'date'])
    .execute();
  const ended = await ctx.db
    .selectFrom('claim_endings')
    .select(['claim_id', 'standing_id', 'date'])
    .execute();
  const made = new Map<string, Set<number>>();
  for (const { claim_id, standing_id, date } of [...existing, ...ended]) {
    if (standing_id === null) continue;
    const name = `${standing_id} ${date}`;
    made.set(name, (made.get(name) ?? new Set()).add(claim_id));
  }
  return [...made].filter(([, ids]) => ids.size > 1).map(([name]) => name);
}

/** Outcomes on a date on which the standing claim has no claim to make. */
async function strayOutcomes({ ctx }: TestApp): Promise<object[]> {
  const rows = await ctx.db
    .selectFrom('standing_occurrences')
    .innerJoin('standing_claims', 'standing_claims.id', 'standing_id')
    .select(['standing_id', 'date', 'claim_id', 'code', 'from_date'])
    .execute();
  return rows.filter(
    ({ date, claim_id, code, from_date }) =>
      (claim_id === null) === (code === null) || date < from_date,
  );
}

describe.each(databases)('random guilds with standing claims on %s', (dialect) => {
  it('R10.1: make a standing claim and date at most once, and keep every standing claim of claiming', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 25 }), async (steps) => {
        const app = await createTestApp(dialect);
        await allowStanding(app, { standing_per_character: 7 });
        await app.runDue();
        const keys = await Promise.all([1, 2, 3, 4, 5].map(() => aKey(app)));
        const single = await anEvent(app, {
          type: 'single_claim',
          start_time: '2026-11-21T10:00',
          end_time: '2026-11-25T10:00',
        });
        const events = [
          (await anEvent(app, { start_time: '2026-11-22T10:00', end_time: '2026-11-27T10:00' })).id,
          single.id,
        ];
        const world: World = { app, keys, events, today: TODAY };
        for (const one of steps) {
          const answer = await play(world, one);
          if (answer instanceof Object && 'status' in answer)
            expect(answer.status, JSON.stringify(one)).toBeLessThan(500);
        }
        const { db } = app.ctx;
        expect(await madeTwice(app)).toEqual([]);
        expect(await strayOutcomes(app)).toEqual([]);
        expect(await wrongCounts(db)).toEqual([]);
        expect(await wrongOccupancy(db)).toMatchObject({ wrong: 0 });
        const claims = await db
          .selectFrom('claims')
          .select(['date', 'event_id', 'standing_id'])
          .where('standing_id', 'is not', null)
          .execute();
        expect(
          claims.filter(({ date, event_id }) => date === null || event_id === single.id),
        ).toEqual([]);
      }),
      {
        numRuns: dialect === 'sqlite' ? sized(10, 20) : sized(4, 8),
        seed: Number(process.env.WORLDS_SEED ?? 37),
      },
    );
  });
});
