import { beforeEach, describe, expect, it } from 'vitest';
import {
  aClaim,
  aKey,
  aName,
  anActiveEvent,
  anEvent,
  aSpot,
  noActiveEvent,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, NOW, TODAY } from '../../dev/test/test-app.ts';
import { owedBy } from '../../dev/test/watching.ts';

const DATES = { start_time: '2026-11-15T10:00', end_time: '2026-11-28T10:00' };
const AFTER_START = 'End time must be after start time';
const TIMES = 'Start and end times are required';

describe.each(databases)('events on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const create = (body: object) => app.api.post('/events').set(app.admin).send(body);
  const update = (id: number, body: object) =>
    app.api.put(`/events/${id}`).set(app.admin).send(body);
  const remove = (id: number) => app.api.delete(`/events/${id}`).set(app.admin);

  it('are created inactive, of type multiple_claims and without a template by default', async () => {
    const name = aName('Event');
    const answer = await create({ name: `  ${name.replace(' ', '   ')} `, ...DATES }).expect(201);
    expect(answer.body).toEqual({
      success: true,
      data: {
        id: expect.any(Number),
        name,
        type: 'multiple_claims',
        ...DATES,
        single_claim_template: null,
        is_active: 0,
        claim_count: 0,
        created_at: NOW,
      },
    });
  });

  it('are created and activated by one write, whose entries share it', async () => {
    const former = await anActiveEvent(app);
    const entries = await owedBy(app, async () => {
      const { body } = await create({ name: aName('Event'), ...DATES, activate: true }).expect(201);
      expect(body.data).toMatchObject({ is_active: 1 });
      expect(body.data).not.toHaveProperty('activate');
      expect((await app.api.get('/events/active')).body.data.id).toBe(body.data.id);
    });
    expect(entries).toMatchObject([
      { action: 'event_created' },
      {
        action: 'event_activated',
        clock: entries[0]?.clock,
        details: { changed: { active_event: { from: former.name } } },
      },
    ]);
    await noActiveEvent(app);
  });

  it('keep a template only where they are for a single claim', async () => {
    const single = await create({
      name: aName(),
      type: 'single_claim',
      single_claim_template: '  One each. ',
      ...DATES,
    }).expect(201);
    expect(single.body.data).toMatchObject({
      type: 'single_claim',
      single_claim_template: 'One each.',
    });
    const multiple = await create({
      name: aName(),
      single_claim_template: 'One each.',
      ...DATES,
    }).expect(201);
    expect(multiple.body.data.single_claim_template).toBeNull();
    const changed = await update(single.body.data.id, { type: 'multiple_claims' }).expect(200);
    expect(changed.body.data.single_claim_template).toBeNull();
  });

  it('are listed, the latest start first', async () => {
    const early = await anEvent(app, { start_time: '2026-02-01', end_time: '2026-02-02' });
    const late = await anEvent(app, { start_time: '2028-02-01', end_time: '2028-02-02' });
    const { body } = await expectNoTick(app, () =>
      app.api.get('/events').set(app.admin).expect(200),
    );
    const ids = body.data.map((event: { id: number }) => event.id);
    expect([ids[0], ids.at(-1)]).toEqual([late.id, early.id]);
  });

  it.each([
    [{ name: '' }, 'event.nameRequired', 'Event name is required'],
    [{ name: '   ' }, 'event.nameRequired', 'Event name is required'],
    [{ name: undefined }, 'event.nameRequired', 'Event name is required'],
    [{ start_time: '' }, 'event.timesRequired', TIMES],
    [{ end_time: undefined }, 'event.timesRequired', TIMES],
    [{ end_time: '2026-02-30' }, 'event.timesRequired', TIMES],
    [{ start_time: 'soon' }, 'event.timesRequired', TIMES],
    [{ start_time: '', end_time: '' }, 'event.timesRequired', TIMES],
    [{ start_time: '+1+1' }, 'event.timesRequired', TIMES],
    [{ start_time: '2026-02-30', end_time: '0000-01-01' }, 'event.timesRequired', TIMES],
    [{ start_time: '9998-12-31', end_time: '9999-12-31' }, 'event.timesRequired', TIMES],
    [{ end_time: `2026-11-28T10:00:00.${'0'.repeat(30)}` }, 'event.timesRequired', TIMES],
    [{ end_time: '2026-11-14T23:00' }, 'event.endBeforeStart', AFTER_START],
    [{ end_time: DATES.start_time }, 'event.endBeforeStart', AFTER_START],
    [{ end_time: '2027-11-16' }, 'event.tooLong', 'An event can last at most a year.'],
    [{ name: 'n'.repeat(61) }, 'request.invalid', 'The field “name” is not valid.'],
    [{ type: 'raid' }, 'request.invalid', 'The field “type” is not valid.'],
    [
      { single_claim_template: 'x'.repeat(2001) },
      'request.invalid',
      'The field “single_claim_template” is not valid.',
    ],
  ] as const)('R3.3: with %j are refused, new or changed', async (fields, code, sentence) => {
    const event = await anEvent(app);
    await expectNoTick(app, async () => {
      expectRefusal(await create({ name: aName(), ...DATES, ...fields }), 400, code, sentence);
      const given = Object.fromEntries(
        Object.entries(fields).filter(([, value]) => value !== undefined),
      );
      if (Object.keys(given).length > 0)
        expectRefusal(await update(event.id, given), 400, code, sentence);
    });
  });

  it('may last one day, and a year', async () => {
    await create({ name: aName(), start_time: '2026-11-15', end_time: '2026-11-15' }).expect(201);
    await create({ name: aName(), start_time: '2026-11-15', end_time: '2027-11-15' }).expect(201);
  });

  it('R1.1: have unique names, ignoring case', async () => {
    const one = await anEvent(app);
    const other = await anEvent(app);
    const taken = ` ${one.name.toUpperCase()} `;
    const sentence = `There is already an event named ${one.name}.`;
    await expectNoTick(app, async () => {
      expectRefusal(await create({ name: taken, ...DATES }), 409, 'event.nameExists', sentence, {
        name: one.name,
      });
      expectRefusal(await update(other.id, { name: taken }), 409, 'event.nameExists', sentence);
    });
    await update(one.id, { name: taken }).expect(200);
  });

  it('change only the fields that a change carries', async () => {
    const event = await anEvent(app);
    expect(
      (await update(event.id, { end_time: '2026-11-30T10:00' }).expect(200)).body.data,
    ).toEqual({
      ...event,
      end_time: '2026-11-30T10:00',
    });
    expect((await update(event.id, {}).expect(200)).body.data).toEqual({
      ...event,
      end_time: '2026-11-30T10:00',
    });
  });

  it('are gone when they are deleted, and the second deletion is 404', async () => {
    const event = await anEvent(app);
    expect((await remove(event.id).expect(200)).body).toEqual({ success: true });
    const gone = 'This event no longer exists.';
    await expectNoTick(app, async () => {
      expectRefusal(await remove(event.id), 404, 'event.notFound', gone, {});
      expectRefusal(await update(event.id, { name: aName() }), 404, 'event.notFound', gone, {});
      expectRefusal(
        await app.api.get(`/events/${event.id}/claims`).set(app.admin),
        404,
        'event.notFound',
        gone,
        {},
      );
      for (const verb of ['activate', 'deactivate']) {
        expectRefusal(
          await app.api.post(`/events/${event.id}/${verb}`).set(app.admin),
          404,
          'event.notFound',
          gone,
          {},
        );
      }
    });
  });
});

describe.each(databases)('the active event on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const active = () => app.api.get('/events/active');
  const set = (id: number, verb: 'activate' | 'deactivate') =>
    app.api.post(`/events/${id}/${verb}`).set(app.admin).expect(200);

  it('R3.6: at most one is active, and it is public', async () => {
    expectRefusal(await active(), 404, 'event.noneActive', 'No event is active.', {});
    const one = await anEvent(app);
    const other = await anEvent(app);
    expect((await set(one.id, 'activate')).body.data).toEqual({ ...one, is_active: 1 });
    await set(other.id, 'activate');
    expect((await active().expect(200)).body.data).toEqual({ ...other, is_active: 1 });
    const all = await app.api.get('/events').set(app.admin);
    expect(
      all.body.data.filter((event: { is_active: number }) => event.is_active === 1),
    ).toHaveLength(1);
    expect((await set(other.id, 'deactivate')).body.data.is_active).toBe(0);
    expectRefusal(await active(), 404, 'event.noneActive', 'No event is active.', {});
  });

  it('stays active when another one is deactivated', async () => {
    const one = await anActiveEvent(app);
    const other = await anEvent(app);
    await set(other.id, 'deactivate');
    expect((await active()).body.data.id).toBe(one.id);
  });

  it('R3.6: is one, also when several are activated at the same moment', async () => {
    const events = await Promise.all([1, 2, 3, 4, 5].map(() => anEvent(app)));
    await Promise.all(events.map((event) => set(event.id, 'activate')));
    const rows = await app.ctx.db
      .selectFrom('events')
      .select('id')
      .where('is_active', '=', 1)
      .execute();
    expect(rows).toHaveLength(1);
  });
});

describe.each(databases)('an event with claims on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  beforeEach(() => noActiveEvent(app));
  const storedClaims = (id = 0) =>
    app.ctx.db.selectFrom('claims').select('id').where('id', '=', id).execute();

  it('counts them and answers them', async () => {
    const event = await anActiveEvent(app);
    const key = await aKey(app);
    const rows = await submitted(
      app,
      key,
      ...[TODAY, '2026-11-22'].map((date) => aClaim(key, { respawn_id: aSpot(), date })),
    );
    expect((await app.api.get('/events/active')).body.data.claim_count).toBe(2);
    const { body } = await expectNoTick(app, () =>
      app.api.get(`/events/${event.id}/claims`).set(app.admin).expect(200),
    );
    expect(body).toEqual({ success: true, data: rows });
  });

  it('R3.6: keeps its type', async () => {
    const event = await anActiveEvent(app);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    const change = () =>
      app.api.put(`/events/${event.id}`).set(app.admin).send({ type: 'single_claim' });
    const sentence = "You can't change the type of an event that has claims.";
    expectRefusal(await expectNoTick(app, change), 409, 'event.typeHasClaims', sentence, {});
    await app.api
      .put(`/events/${event.id}`)
      .set(app.admin)
      .send({ type: 'multiple_claims' })
      .expect(200);
  });

  it.each(['multiple_claims', 'single_claim'] as const)(
    'takes them along when it is deleted: %s',
    async (type) => {
      const event = await anActiveEvent(app, { type });
      const key = await aKey(app);
      const [claim] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
      await app.api.delete(`/events/${event.id}`).set(app.admin).expect(200);
      for (const table of ['claim_parts', 'occupied_hours', 'occupied_days'] as const) {
        const left = app.ctx.db
          .selectFrom(table)
          .selectAll()
          .where('claim_id', '=', claim?.id ?? 0);
        expect(await left.execute()).toEqual([]);
      }
      expect(await storedClaims(claim?.id)).toEqual([]);
      expectRefusal(
        await app.api.get('/events/active'),
        404,
        'event.noneActive',
        'No event is active.',
      );
      await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    },
  );

  it('leaves a claim of no event alone when it is deleted', async () => {
    const before = await aKey(app);
    const key = await aKey(app);
    const [kept] = await submitted(app, before, aClaim(before, { respawn_id: aSpot() }));
    const event = await anActiveEvent(app);
    const [gone] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    await app.api.delete(`/events/${event.id}`).set(app.admin).expect(200);
    expect(await storedClaims(kept?.id)).toHaveLength(1);
    expect(await storedClaims(gone?.id)).toEqual([]);
  });
});
