import fc from 'fast-check';
import { expect } from 'vitest';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { ActivityEntry } from '../../../shared/schemas/activity.ts';
import { aKey, anActiveEvent, anEvent, aRespawn, submit } from '../../dev/test/builders.ts';
import { aGif } from '../../dev/test/gifs.ts';
import type { TestApp } from '../../dev/test/test-app.ts';
import type { Watcher } from '../../dev/test/watcher.ts';

/** null: every date of the single_claim event, while that one is active. */
const DATES = ['2026-11-21', '2026-11-22', '2026-11-23', null];

/** Admins' changes besides claims, keys and events; `n` varies the record and the change. */
const ADMIN_WRITES: readonly ((app: TestApp, n: number) => PromiseLike<{ status: number }>)[] = [
  (app, n) =>
    app.api
      .put(`/admin/respawns/${1 + (n % 5)}`)
      .set(app.admin)
      .send({ name: `Renamed ${n}` }),
  (app, n) =>
    app.api
      .put(`/admin/respawns/${1 + (n % 5)}`)
      .set(app.admin)
      .send({ is_enabled: n % 2 }),
  (app, n) =>
    app.api
      .put(`/admin/respawns/${1 + (n % 5)}/category`)
      .set(app.admin)
      .send({ category_id: n % 4 || null }),
  (app, n) =>
    app.api
      .put(`/admin/respawns/${1 + (n % 5)}/image`)
      .set(app.admin)
      .attach('image', aGif(), 'a.gif'),
  (app, n) => app.api.delete(`/admin/respawns/${4 + (n % 3)}`).set(app.admin),
  (app) => aRespawn(app).then(() => ({ status: 201 })),
  (app, n) =>
    app.api
      .post('/categories')
      .set(app.admin)
      .send({ name: `Category ${n % 5}` }),
  (app, n) =>
    app.api
      .put(`/categories/${1 + (n % 4)}`)
      .set(app.admin)
      .send({ name: `Category ${n}` }),
  (app, n) => app.api.delete(`/categories/${1 + (n % 4)}`).set(app.admin),
  (app, n) =>
    app.api
      .post('/admin/member-types')
      .set(app.admin)
      .send({ member_type: `type ${n % 3}` }),
  (app, n) =>
    app.api
      .put(`/admin/member-types/type ${n % 3}`)
      .set(app.admin)
      .send({ voucher_duration_hours: 1 + (n % 9) }),
  (app, n) => app.api.delete(`/admin/member-types/type ${n % 3}`).set(app.admin),
  (app, n) =>
    app.api
      .put('/admin/config')
      .set(app.admin)
      .send({ guild_name: `Guild ${n % 3}` }),
  (app, n) => app.api.delete(`/claims/admin/respawn/${1 + (n % 4)}`).set(app.admin),
  (app, n) => app.api.delete(`/events/${1 + (n % 2)}`).set(app.admin),
  (app, n) =>
    app.api
      .put('/admin/config')
      .set(app.admin)
      .send({ standing_enabled: Math.min(n % 5, 1) }),
  (app, n) =>
    app.api
      .post('/standing')
      .set(app.admin)
      .send({
        character_name: `Ruler ${n % 3}`,
        respawn_id: 1 + (n % 4),
        weekdays: [1 + (n % 7)],
        hour_start: n % 20,
        hour_end: (n % 20) + 2,
      }),
  (app, n) =>
    app.api
      .put(`/standing/${1 + (n % 3)}`)
      .set(app.admin)
      .send({ is_paused: n % 2, weekdays: [1 + (n % 7)] }),
  (app, n) =>
    app.api.delete(`/standing/${1 + (n % 3)}?claims=${n % 2 ? 'keep' : 'release'}`).set(app.admin),
  undoSomething,
  undoSomething,
];

/** Undoes one of the newest deletions that can be undone, if nothing is in its way. */
async function undoSomething(app: TestApp, n: number): Promise<{ status: number }> {
  const { body } = await app.api.get('/admin/activity-log').set(app.admin).expect(200);
  const possible: ActivityEntry[] = body.data.logs.filter(
    (entry: ActivityEntry) => entry.undo === 'possible',
  );
  return app.api
    .post(`/admin/activity-log/${possible[n % Math.max(possible.length, 1)]?.id ?? 1}/undo`)
    .set(app.admin);
}

export type Step =
  | { do: 'admin write'; which: number; n: number }
  | { do: 'claim'; key: number; respawn_id: number; date: number; hour: number; split: boolean }
  | { do: 'delete claim'; nth: number }
  | { do: 'drop' | 'return'; watcher: number }
  | { do: 'activate' | 'deactivate'; event: number }
  | { do: 'new key' }
  | { do: 'edit event'; event: number; days: number };

/** Commands of members and admins, and events of watchers. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      key: fc.nat(7),
      respawn_id: fc.integer({ min: 1, max: 4 }),
      date: fc.nat(DATES.length - 1),
      hour: fc.nat(23),
      split: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('delete claim' as const), nth: fc.nat(50) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('drop' as const, 'return' as const),
      watcher: fc.nat(3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('activate' as const, 'deactivate' as const),
      event: fc.nat(1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('new key' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('admin write' as const),
      which: fc.nat(ADMIN_WRITES.length - 1),
      n: fc.nat(99),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('edit event' as const),
      event: fc.nat(1),
      days: fc.integer({ min: 23, max: 29 }),
    }),
  },
);

/** The actors of a world, and its records. */
export interface Cast {
  keys: AccessKey[];
  events: number[];
  watchers: Watcher[];
}

/** A board with eight members, an active event and one of the other type; without watchers yet. */
export async function aCast(app: TestApp): Promise<Cast> {
  const keys = await Promise.all(Array.from({ length: 8 }, () => aKey(app)));
  const events = [(await anActiveEvent(app)).id, (await anEvent(app, { type: 'single_claim' })).id];
  return { keys, events, watchers: [] };
}

/** Does one step; what it may be refused for is part of the world. */
export async function play(
  app: TestApp,
  { keys, watchers, events }: Cast,
  one: Step,
): Promise<unknown> {
  switch (one.do) {
    case 'claim': {
      const key = keys[one.key % keys.length];
      const { respawn_id, hour } = one;
      const parts = [
        { part_number: 1, respawn_id, hour_start: hour, duration: 1 },
        { part_number: 2, respawn_id: respawn_id + 1, hour_start: (hour + 2) % 24, duration: 2 },
      ];
      return (
        key &&
        submit(app, key, {
          respawn_id,
          character_name: key.character_name,
          date: DATES[one.date] ?? null,
          hour_start: hour,
          hour_end: hour + 2,
          ...(one.split ? { is_split_claim: 1, split_parts: parts } : {}),
        })
      );
    }
    case 'delete claim': {
      const claims = await app.ctx.db.selectFrom('claims').select('id').orderBy('id').execute();
      const claim = claims[one.nth % Math.max(claims.length, 1)];
      return claim && app.api.delete(`/admin/claims/${claim.id}`).set(app.admin);
    }
    case 'drop':
      return watchers[one.watcher]?.disconnect();
    case 'return':
      return watchers[one.watcher]?.isConnected ? undefined : watchers[one.watcher]?.connect();
    case 'activate':
    case 'deactivate':
      return app.api.post(`/events/${events[one.event]}/${one.do}`).set(app.admin);
    case 'admin write': {
      const answer = await ADMIN_WRITES[one.which]?.(app, one.n);
      return expect(answer?.status, JSON.stringify(one)).toBeLessThan(500);
    }
    case 'new key':
      return aKey(app);
    case 'edit event':
      return app.api
        .put(`/events/${events[one.event]}`)
        .set(app.admin)
        .send({ end_time: `2026-11-${one.days}T10:00` });
  }
}
