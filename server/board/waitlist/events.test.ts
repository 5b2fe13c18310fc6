import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { admin } from '../../activity/test/write.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  asMember,
  aWait,
  noActiveEvent,
  submit,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, NOW, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { Watcher } from '../../dev/test/watcher.ts';
import { wrongCounts } from '../claims/consistency.ts';

const TOMORROW = '2026-11-22';
const AFTER = '2026-11-23';
const TEN_MINUTES_LATER = new Date(Date.parse(NOW) + 600_000).toISOString();
const statusesOf = async (app: TestApp) =>
  (await app.ctx.db.selectFrom('waits').select('status').orderBy('id').execute()).map(
    ({ status }) => status,
  );
const edit = (app: TestApp, id: number, fields: object) => admin(app, `put /events/${id}`, fields);

/** Held hours of a date, and another member on their waitlist. */
async function aHold(app: TestApp, date: string = TODAY) {
  const holder = await aKey(app);
  const key = await aKey(app);
  const next = await aKey(app);
  const [claim] = await submitted(app, holder, aClaim(holder, { date }));
  for (const each of [key, next]) await aWait(app, each, { date });
  await admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
  expect(await statusesOf(app)).toEqual(['offered', 'waiting']);
  return { key };
}

describe.each(databases)('an event that is edited while hours are held, on %s', (dialect) => {
  it('R3.7, R9.9: gets dates that exclude a hold: the hold ends, and all watchers see it', async () => {
    const app = await createTestApp(dialect);
    const { id } = await anActiveEvent(app, { start_time: TODAY, end_time: AFTER });
    const watcher = new Watcher(app.url, { admin_token: app.admin.Authorization.slice(7) });
    await watcher.connect();
    await aHold(app);
    expect((await edit(app, id, { start_time: TOMORROW }).expect(200)).body.data).toMatchObject({
      start_time: TOMORROW,
    });
    expect(await statusesOf(app)).toEqual(['void', 'void']);
    expect(await app.ctx.db.selectFrom('occupied_hours').selectAll().execute()).toEqual([]);
    await watcher.reached(app.ctx.bus.clock());
    expect([watcher.records('claim').size, watcher.records('wait').size]).toEqual([0, 0]);
    expect(watcher.records('event').get(String(id))).toMatchObject({ claim_count: 0 });
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('R3.7: keeps the dates of its claims, regardless of holds', async () => {
    const app = await createTestApp(dialect);
    const { id } = await anActiveEvent(app, { start_time: TODAY, end_time: AFTER });
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: 2 }));
    await aHold(app);
    await expectNoTick(app, async () => {
      const { body } = await edit(app, id, { start_time: TOMORROW }).expect(409);
      expect([body.code, body.params.claims]).toMatchObject([
        'event.claimsOutside',
        [{ id: claim?.id }],
      ]);
    });
    expect((await edit(app, id, { type: 'single_claim' })).body.code).toBe('event.typeHasClaims');
    expect(await statusesOf(app)).toEqual(['offered', 'waiting']);
  });

  it('R3.6, R9.9: becomes a single_claim one, which has no waitlists: hold and entries end', async () => {
    const app = await createTestApp(dialect);
    const { id } = await anActiveEvent(app, { start_time: TODAY, end_time: AFTER });
    await aHold(app);
    await edit(app, id, { type: 'single_claim' }).expect(200);
    expect(await statusesOf(app)).toEqual(['void', 'void']);
    expect(await app.ctx.db.selectFrom('claims').select('id').execute()).toEqual([]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('R3.8, R9.10: does not move onto held hours, and says for whom and until when', async () => {
    const app = await createTestApp(dialect);
    const { id } = await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-12-01',
      end_time: '2026-12-02',
    });
    const other = await aKey(app);
    await submitted(app, other, aClaim(other, { date: null, hour_start: 12, hour_end: 16 }));
    await noActiveEvent(app);
    const { key } = await aHold(app, TOMORROW);
    const onto = () => edit(app, id, { start_time: TOMORROW, end_time: AFTER });
    const { character_name } = key;
    await expectNoTick(app, async () =>
      expectRefusal(
        await onto(),
        409,
        'hold.taken',
        `SS+10 on ${TOMORROW} is held for ${character_name}.`,
        {
          character_name,
          held_until: TEN_MINUTES_LATER,
          date: TOMORROW,
          hour: 10,
        },
      ),
    );
    await admin(app, 'put /admin/config', { waits_enabled: 0 }).expect(200);
    app.setNow(TEN_MINUTES_LATER);
    await onto().expect(200);
  });
});

describe.each(databases)(
  'R3.4, R9.12: an event that is activated while hours are held, on %s',
  (dialect) => {
    const accept = (app: TestApp, key: AccessKey) =>
      app.api.post('/waits/1/accept').set(asMember(key)).send({});

    it('has the claim once they are accepted: on the board, in its count and its budget', async () => {
      const app = await createTestApp(dialect);
      const { key } = await aHold(app);
      const event = await anActiveEvent(app, { start_time: TODAY, end_time: AFTER });
      expect(await statusesOf(app)).toEqual(['offered', 'waiting']);
      const watcher = new Watcher(app.url, { access_key: key.key_value });
      await watcher.connect();
      expect(watcher.records('claim').size).toBe(0);
      const limit = (max_hours_per_event: number) =>
        admin(app, 'put /admin/member-types/member', { max_hours_per_event }).expect(200);
      await limit(3);
      await expectNoTick(app, async () =>
        expect((await accept(app, key)).body.code).toBe('budget.event'),
      );
      await limit(4);
      await accept(app, key).expect(200);
      await watcher.reached(app.ctx.bus.clock());
      expect([...watcher.records('claim').values()]).toMatchObject([
        { event_id: event.id, date: TODAY, is_held: 0 },
      ]);
      expect(watcher.records('event').get(String(event.id))).toMatchObject({ claim_count: 1 });
      expect(await wrongCounts(app.ctx.db)).toEqual([]);
      expect(
        (await submit(app, key, aClaim(key, { respawn_id: 2, date: TOMORROW }))).body.code,
      ).toBe('budget.event');
    });

    it.each([
      ['has not their date', { start_time: TOMORROW, end_time: AFTER }],
      [
        'is a single_claim one',
        { type: 'single_claim' as const, start_time: TODAY, end_time: AFTER },
      ],
    ])('voids them where it %s; who only waits stays on the waitlist', async (_, fields) => {
      const app = await createTestApp(dialect);
      const { key } = await aHold(app);
      await anActiveEvent(app, fields);
      expect(await statusesOf(app)).toEqual(['void', 'waiting']);
      await expectNoTick(app, async () =>
        expect((await accept(app, key)).body.code).toBe('wait.notOpen'),
      );
      expect(await app.ctx.db.selectFrom('claims').select('id').execute()).toEqual([]);
      expect(await wrongCounts(app.ctx.db)).toEqual([]);
      await noActiveEvent(app);
      expect(await statusesOf(app)).toEqual(['void', 'offered']);
    });
  },
);
