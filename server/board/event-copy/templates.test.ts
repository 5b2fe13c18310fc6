import { describe, expect, it } from 'vitest';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import type { EventCopied } from '../../../shared/schemas/event-copy.ts';
import {
  type EventTemplate,
  type EventTemplateInput,
  MAX_MADE_KEPT,
  MAX_TEMPLATES,
} from '../../../shared/schemas/event-template.ts';
import { undoLatest } from '../../activity/test/undo.ts';
import {
  aClaim,
  aKey,
  aName,
  anEvent,
  aSpot,
  change,
  submitAsAdmin,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { owedBy, watching } from '../../dev/test/watching.ts';

/** Sunday to Saturday, today the last of them. */
const WEEK = { start_time: '2026-11-15T10:00', end_time: '2026-11-21T09:00' };

const save = (app: TestApp, input: EventTemplateInput) =>
  app.api.post('/admin/event-templates').set(app.admin).send(input);
async function aTemplate(
  app: TestApp,
  event: Event,
  fields: Partial<EventTemplateInput> = {},
): Promise<EventTemplate> {
  return (
    await save(app, { event_id: event.id, name: `${aName('Week')} {n}`, ...fields }).expect(201)
  ).body.data;
}
const use = (app: TestApp, id: number, body: object = {}) =>
  app.api.post(`/admin/event-templates/${id}/apply`).set(app.admin).send(body);
const next = async (app: TestApp, id: number, body: object = {}): Promise<EventCopied> =>
  (await use(app, id, body).expect(200)).body.data;
const allOf = async (app: TestApp): Promise<EventTemplate[]> =>
  (await app.api.get('/admin/event-templates').set(app.admin).expect(200)).body.data;

describe.each(databases)('a template of events on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('stores an event’s settings, which watching admins see at once', async () => {
    const event = await anEvent(app, {
      ...WEEK,
      type: 'single_claim',
      single_claim_template: 'One each.',
    });
    const { expectSynced, admin, member } = await watching(app);
    const template = await aTemplate(app, event, { weekday: 0, claims: 'all' });
    const kept = {
      type: 'single_claim',
      days: 7,
      start_clock: 'T10:00',
      end_clock: 'T09:00',
      single_claim_template: 'One each.',
    };
    expect(template).toMatchObject({ ...kept, weekday: 0, claims: 'all', made_events: [event.id] });
    await expectSynced();
    expect([admin, member].map((watcher) => watcher.records('event_template').size)).toEqual([
      1, 0,
    ]);
    expect(await allOf(app)).toEqual([template]);
    await app.api.delete(`/admin/event-templates/${template.id}`).set(app.admin).expect(200);
    await expectSynced();
    expect(await allOf(app)).toEqual([]);
  });

  it('R3.12: makes the next event by a click each week, counted up, with the claims of the one it made last', async () => {
    const name = aName('Round');
    const event = await anEvent(app, { ...WEEK, name: `${name}: 7` });
    const key = await aKey(app);
    const respawn_id = aSpot();
    await app.api.post(`/events/${event.id}/activate`).set(app.admin).expect(200);
    await submitAsAdmin(app, 'member', aClaim(key, { respawn_id, date: '2026-11-20' })).expect(201);
    const template = await aTemplate(app, event, { name: `${name}: {n}`, claims: 'all' });
    const summaryOf = ({ event, copied }: EventCopied) => [
      event?.name,
      event?.start_time,
      event?.end_time,
      event?.is_active,
      copied,
    ];
    const entries = await owedBy(app, async () => {
      expect(summaryOf(await next(app, template.id))).toEqual([
        `${name}: 8`,
        '2026-11-22T10:00',
        '2026-11-28T09:00',
        0,
        1,
      ]);
    });
    const details = {
      copied_from: `${name}: 7`,
      template: `${name}: {n}`,
      claim_count: 1,
      left_out: 0,
    };
    expect(entries.at(-1)).toMatchObject({ action: 'event_copied', details });
    const second = await next(app, template.id);
    expect(summaryOf(second)).toEqual([`${name}: 9`, '2026-11-29T10:00', '2026-12-05T09:00', 0, 1]);
    const rows: ClaimRow[] = (
      await app.api.get(`/events/${second.event?.id}/claims`).set(app.admin).expect(200)
    ).body.data;
    expect(rows.map(({ date }) => date)).toEqual(['2026-12-04']);
  });

  it('continues after the previous event if the last one is deleted, and after the last one when it is restored', async () => {
    const template = await aTemplate(app, await anEvent(app, WEEK));
    const { event: first } = await next(app, template.id);
    const { event: second } = await next(app, template.id);
    await app.api.delete(`/events/${second?.id}`).set(app.admin).expect(200);
    expect((await next(app, template.id, { preview: true })).start_time).toBe(second?.start_time);
    await undoLatest(app, 'event_deleted');
    expect((await next(app, template.id, { preview: true })).start_time).toBe('2026-12-06T10:00');
    for (const id of [first?.id, second?.id, template.made_events[0]])
      await app.api.delete(`/events/${id}`).set(app.admin).expect(200);
    const alone = await next(app, template.id);
    expect([alone.event?.start_time, alone.event?.name]).toEqual([
      `${TODAY}T10:00`,
      template.name.replace('{n}', '1'),
    ]);
  });

  it('R3.12: follows an event that was copied by hand from the last one, without a duplicate', async () => {
    const name = aName('Double');
    const event = await anEvent(app, { ...WEEK, name: `${name}, week 1` });
    const template = await aTemplate(app, event, { name: `${name}, week {n}` });
    const copy = { name: `${name}, week 2`, start_time: '2026-11-22T10:00', claims: 'none' };
    const copied: EventCopied = (
      await app.api.post(`/admin/events/${event.id}/copy`).set(app.admin).send(copy)
    ).body.data;
    expect(copied.end_time).toBe('2026-11-28T09:00');
    const made = await next(app, template.id, { after: copied.event?.id ?? 0 });
    expect([made.event?.name, made.start_time]).toEqual([`${name}, week 3`, '2026-11-29T10:00']);
  });

  it('R3.12: starts on its weekday, and never creates a past event', async () => {
    const event = await anEvent(app, { start_time: '2026-11-16', end_time: '2026-11-20' });
    const any = await aTemplate(app, event);
    const monday = await aTemplate(app, event, { weekday: 1 });
    expect((await next(app, any.id, { preview: true })).start_time).toBe(TODAY);
    expect((await next(app, monday.id, { preview: true })).start_time).toBe('2026-11-23');
    app.setNow('2026-12-09T18:00:00.000Z');
    expect((await next(app, monday.id, { preview: true })).start_time).toBe('2026-12-07');
    app.setNow('2026-12-12T18:00:00.000Z');
    expect((await next(app, monday.id, { preview: true })).start_time).toBe('2026-12-14');
  });

  it('makes one event for two clicks, and its preview writes nothing', async () => {
    const event = await anEvent(app, WEEK);
    const template = await aTemplate(app, event);
    const preview = await expectNoTick(app, () =>
      next(app, template.id, { preview: true, after: event.id }),
    );
    const [one, other] = await Promise.all(
      [1, 2].map(() => use(app, template.id, { after: event.id })),
    );
    expect([one?.status, other?.status].sort()).toEqual([200, 409]);
    const [made, refused] = one?.status === 200 ? [one, other] : [other, one];
    expect(made?.body.data.start_time).toBe(preview.start_time);
    expect(refused?.body).toMatchObject({
      code: 'template.movedOn',
      error: 'Another admin has just created the next event from this template.',
    });
  });

  it('takes no claims along from an event that is of another type by now, and says so of each', async () => {
    const event = await anEvent(app, { ...WEEK, type: 'single_claim' });
    const template = await aTemplate(app, event, { claims: 'all' });
    await app.api
      .put(`/events/${event.id}`)
      .set(app.admin)
      .send({ type: 'multiple_claims' })
      .expect(200);
    await app.api.post(`/events/${event.id}/activate`).set(app.admin).expect(200);
    const key = await aKey(app);
    const respawn_id = aSpot();
    for (const date of ['2026-11-20', '2026-11-21'])
      await submitAsAdmin(app, 'member', aClaim(key, { respawn_id, date })).expect(201);
    const codes = ({ claims }: EventCopied) => claims.map(({ refusal }) => refusal?.code);
    expect(codes(await next(app, template.id, { preview: true }))).toEqual([
      'copy.otherType',
      'copy.otherType',
    ]);
    const made = await next(app, template.id);
    expect([made.event?.type, made.copied, made.left_out, codes(made)]).toEqual([
      'single_claim',
      0,
      2,
      ['copy.otherType', 'copy.otherType'],
    ]);
  });

  it('remembers no more than the last events it made', async () => {
    const template = await aTemplate(app, await anEvent(app, WEEK));
    const before = Array.from({ length: MAX_MADE_KEPT }, (_, n) => 900_000 + n);
    await change(app, async ({ tx, changes }) => {
      changes.reset();
      const made_events = JSON.stringify(
        [...before, ...template.made_events].slice(-MAX_MADE_KEPT),
      );
      await tx
        .updateTable('event_templates')
        .set({ made_events })
        .where('id', '=', template.id)
        .execute();
    });
    const { event } = await next(app, template.id);
    const kept = (await allOf(app)).find(({ id }) => id === template.id)?.made_events;
    expect(kept).toEqual([...before.slice(2), ...template.made_events, event?.id]);
  });

  it('is refused without its event or its name, by a name that there is, and beyond the most', async () => {
    const event = await anEvent(app, WEEK);
    const { name } = await aTemplate(app, event);
    const many = MAX_TEMPLATES - (await allOf(app)).length;
    await expectNoTick(app, async () => {
      expectRefusal(
        await save(app, { event_id: 999_999, name: 'Week' }),
        404,
        'event.notFound',
        'This event no longer exists.',
      );
      expectRefusal(
        await save(app, { event_id: event.id, name: ' ' }),
        400,
        'template.nameRequired',
        'A name for the events is required',
      );
      const exists = `There is already a template named ${name}.`;
      expectRefusal(
        await save(app, { event_id: event.id, name: name.toUpperCase() }),
        409,
        'template.exists',
        exists,
        { name },
      );
      expect((await save(app, { event_id: event.id, name: 'Week', weekday: 7 })).body.code).toBe(
        'request.invalid',
      );
    });
    for (let n = 0; n < many; n += 1) await aTemplate(app, event);
    const sentence = `There can be at most ${MAX_TEMPLATES} templates. Delete one first.`;
    expectRefusal(
      await save(app, { event_id: event.id, name: 'One more' }),
      409,
      'template.tooMany',
      sentence,
      { max: MAX_TEMPLATES },
    );
  });
});
