import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deleteClaim, splitOn, undoLatest } from '../../activity/test/undo.ts';
import { admin } from '../../activity/test/write.ts';
import { archiveOld } from '../../board/archive/move.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  anEvent,
  aRespawn,
  asMember,
  aWait,
  ban,
  changeUnheard,
  noActiveEvent,
  submitAsAdmin,
  submitted,
  waitFor,
} from '../../dev/test/builders.ts';
import { databases, filledDatabase } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { hadWork } from '../../dev/test/jobs.ts';
import { createSuiteApp, createTestApp, NOW, TODAY } from '../../dev/test/test-app.ts';
import { findParts, MAX_EVENTS } from './events.ts';
import {
  aCalendar,
  type CalendarEntry,
  calendarEntries,
  confirmedEntries,
  eventIn,
  fetched,
  parsed,
} from './test/calendar.ts';

const only = ([event]: readonly CalendarEntry[]): CalendarEntry => {
  if (!event) throw new Error('no event');
  return event;
};
const inShort = (events: readonly CalendarEntry[]) =>
  events.map(({ status, start, end }) => `${status} ${start.slice(11, 16)}-${end.slice(11, 16)}`);

describe.each(databases)('a calendar, on %s', (dialect) => {
  const app = createSuiteApp(dialect, { env: { HORIZON_DAYS: '366' } });
  const state = async (key: Parameters<typeof asMember>[0]) =>
    (await app.api.get('/calendar').set(asMember(key)).expect(200)).body.data;

  it('ends every line with CRLF, the last one too, and folds lines at 75 bytes', async () => {
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    const { text } = await fetched(app, await aCalendar(app, key)).expect(200);
    const lines = text.split('\r\n');
    expect([lines.at(-2), lines.at(-1)]).toEqual(['END:VCALENDAR', '']);
    expect(lines.filter((line) => /[\r\n]/.test(line) || Buffer.byteLength(line) > 75)).toEqual([]);
  });

  it('has the own claims of the last 30 and the next 90 days, an event a date and part, in UTC', async () => {
    const key = await aKey(app, undefined, 'elite');
    const other = await aKey(app);
    const one = await aRespawn(app);
    const two = await aRespawn(app);
    const path = await aCalendar(app, key);
    const at = (date: string) => aClaim(key, { respawn_id: one.id, date });
    await submitAsAdmin(app, 'elite', at('2026-10-21'), at('2026-10-22')).expect(201);
    await submitted(app, key, aClaim(key, splitOn(one.id, two.id)));
    await submitAsAdmin(app, 'elite', at('2027-02-19'), at('2027-02-20')).expect(201);
    await submitted(
      app,
      other,
      aClaim(other, { respawn_id: one.id, hour_start: 20, hour_end: 22 }),
    );
    const events = await calendarEntries(app, path);
    expect(confirmedEntries(events)).toEqual([
      `2026-10-22T18:00:00.000Z 2026-10-22T22:00:00.000Z ${one.name}`,
      `2026-11-21T19:00:00.000Z 2026-11-21T21:00:00.000Z ${one.name}`,
      `2026-11-21T23:00:00.000Z 2026-11-22T01:00:00.000Z ${two.name}`,
      `2027-02-19T19:00:00.000Z 2027-02-19T23:00:00.000Z ${one.name}`,
    ]);
    expect(events[1]).toMatchObject({
      status: 'CONFIRMED',
      description: `${key.character_name}, SS+10 to SS+12. Claimboard`,
      url: '',
    });
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(4);
  });

  it('has the right times on the days of clock changes', async () => {
    const key = await aKey(app, undefined, 'elite');
    const spot = await aRespawn(app);
    const path = await aCalendar(app, key);
    const from = (date: string, hour_start: number) =>
      aClaim(key, { respawn_id: spot.id, date, hour_start, hour_end: hour_start + 4 });
    await submitAsAdmin(app, 'elite', from('2026-11-01', 0), from('2026-10-31', 20)).expect(201);
    expect(confirmedEntries(await calendarEntries(app, path))).toEqual([
      // From 21:00 to 1:00, both before the change; the second is an hour that occurs twice.
      `2026-11-01T04:00:00.000Z 2026-11-01T08:00:00.000Z ${spot.name}`,
      `2026-11-01T08:00:00.000Z 2026-11-01T13:00:00.000Z ${spot.name}`,
    ]);
    await submitAsAdmin(app, 'elite', from('2027-03-14', 0), from('2027-03-13', 20)).expect(201);
    app.setNow('2027-03-10T18:00:00.000Z');
    // At 3:00 in the morning it is SS+2, an hour after SS+0.
    expect(confirmedEntries(await calendarEntries(app, path)).slice(-2)).toEqual([
      `2027-03-14T05:00:00.000Z 2027-03-14T09:00:00.000Z ${spot.name}`,
      `2027-03-14T09:00:00.000Z 2027-03-14T12:00:00.000Z ${spot.name}`,
    ]);
  });

  it('says each change under the same name with a higher number: an edit, a move, a deletion, its undo', async () => {
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const other = await aRespawn(app);
    const path = await aCalendar(app, key);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    const entries = [only(await calendarEntries(app, path))];
    const thenHear = async (what: PromiseLike<unknown>) => {
      await what;
      entries.push(only(await calendarEntries(app, path)));
    };
    await thenHear(
      admin(app, `put /claims/admin/${claim?.id}`, { hour_start: 12, hour_end: 13 }).expect(200),
    );
    await thenHear(
      admin(app, `put /claims/admin/${claim?.id}/respawn`, { respawn_id: other.id }).expect(200),
    );
    await thenHear(deleteClaim(app, claim));
    await thenHear(undoLatest(app, 'claim_deleted'));
    await thenHear(
      admin(app, `put /admin/respawns/${other.id}`, {
        name: `${other.name}, renamed; \\o/`,
      }).expect(200),
    );
    expect(
      entries.map(({ status, start, summary }) => `${status} ${start.slice(11, 16)} ${summary}`),
    ).toEqual([
      `CONFIRMED 19:00 ${spot.name}`,
      `CONFIRMED 21:00 ${spot.name}`,
      `CONFIRMED 21:00 ${other.name}`,
      `CANCELLED 21:00 ${other.name}`,
      `CONFIRMED 21:00 ${other.name}`,
      `CONFIRMED 21:00 ${other.name}, renamed; \\o/`,
    ]);
    expect(new Set(entries.map(({ uid }) => uid)).size).toBe(1);
    const numbers = entries.map(({ sequence }) => sequence);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, two) => one - two));
  });

  it('is shortened by a release, and the rest of a split claim stays the same event', async () => {
    await admin(app, 'put /admin/config', { release_enabled: 1 }).expect(200);
    const key = await aKey(app, undefined, 'elite');
    const one = await aRespawn(app);
    const two = await aRespawn(app);
    const path = await aCalendar(app, key);
    const [split] = await submitted(app, key, aClaim(key, splitOn(one.id, two.id)));
    const before = await calendarEntries(app, path);
    app.setNow('2026-11-21T23:30:00.000Z');
    const release = (part_number?: number) =>
      app.api
        .post(`/claims/${split?.id}/release`)
        .set(asMember(key))
        .send({ part_number })
        .expect(200);
    await release(2);
    expect(inShort(await calendarEntries(app, path))).toEqual([
      'CONFIRMED 19:00-21:00',
      'CONFIRMED 23:00-00:00',
    ]);
    app.setNow('2026-11-21T18:00:00.000Z');
    await release(1);
    const after = await calendarEntries(app, path);
    expect(inShort(after)).toEqual(['CANCELLED 19:00-21:00', 'CONFIRMED 23:00-00:00']);
    expect(after.map(({ uid }) => uid)).toEqual(before.map(({ uid }) => uid));
    await release();
    expect(inShort(await calendarEntries(app, path))).toEqual([
      'CANCELLED 19:00-21:00',
      'CANCELLED 23:00-00:00',
    ]);
  });

  it('has a secondary claim that says so, and no hold before it is taken', async () => {
    const key = await aKey(app, undefined, 'vice');
    const holder = await aKey(app);
    const spot = await aRespawn(app);
    const other = await aRespawn(app);
    const path = await aCalendar(app, key);
    const tomorrow = { respawn_id: spot.id, date: '2026-11-22' };
    const [taken] = await submitted(app, holder, aClaim(holder, tomorrow));
    const wait = await aWait(app, key, tomorrow);
    await submitted(
      app,
      key,
      aClaim(key, { respawn_id: spot.id }),
      aClaim(key, { respawn_id: other.id, is_secondary_claim: 1 }),
    );
    await deleteClaim(app, taken);
    const events = await calendarEntries(app, path);
    expect(events.map(({ status, summary }) => `${status} ${summary}`).sort()).toEqual([
      `CONFIRMED ${spot.name}`,
      `TENTATIVE ${other.name} (secondary claim)`,
    ]);
    await app.api.post(`/waits/${wait.id}/accept`).set(asMember(key)).expect(200);
    expect((await calendarEntries(app, path)).map(({ start }) => start.slice(0, 10))).toEqual([
      TODAY,
      TODAY,
      '2026-11-22',
    ]);
    expect((await waitFor(app, key, tomorrow)).status).toBe(409);
  });

  it('has every date of an event’s claim; of an event that is shorter now the others are cancelled, and archived it stays', async () => {
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const path = await aCalendar(app, key);
    const period = { start_time: '2026-11-19T10:00', end_time: '2026-11-22T10:00' };
    const event = await anActiveEvent(app, { type: 'single_claim', ...period });
    await submitAsAdmin(app, 'member', aClaim(key, { respawn_id: spot.id, date: null })).expect(
      201,
    );
    const days = async () =>
      (await calendarEntries(app, path)).map(
        ({ status, start }) => `${status} ${start.slice(5, 10)}`,
      );
    expect(await days()).toEqual([
      'CONFIRMED 11-19',
      'CONFIRMED 11-20',
      'CONFIRMED 11-21',
      'CONFIRMED 11-22',
    ]);
    await admin(app, `put /events/${event.id}`, {
      start_time: '2026-11-20T10:00',
      end_time: '2026-11-21T10:00',
    }).expect(200);
    const shorter = ['CANCELLED 11-19', 'CONFIRMED 11-20', 'CONFIRMED 11-21', 'CANCELLED 11-22'];
    expect(await days()).toEqual(shorter);
    await noActiveEvent(app);
    const entries = await calendarEntries(app, path);
    app.ctx.env.ARCHIVE_AFTER_DAYS = 1;
    app.setNow('2026-11-25T18:00:00.000Z');
    while (await hadWork(app, archiveOld));
    app.ctx.env.ARCHIVE_AFTER_DAYS = 0;
    expect(
      await app.ctx.db
        .selectFrom('archived_events')
        .select('id')
        .where('id', '=', event.id)
        .execute(),
    ).toHaveLength(1);
    expect(await calendarEntries(app, path)).toEqual(entries);
  });

  it('is worked out for as many dates as it has events, however many claims there are of each date', async () => {
    const spot = await aRespawn(app);
    const event = await anEvent(app, {
      start_time: '2026-10-01T10:00',
      end_time: '2027-03-01T10:00',
    });
    const claim = {
      character_name: 'Everywhere',
      character_key: 'everywhere',
      member_type: 'member',
      created_at: NOW,
      date: null,
    };
    const kind = {
      custom_duration: 1,
      voucher_duration: 4,
      is_secondary_claim: 0,
      secondary_priority: 0,
      is_split_claim: 0,
    } as const;
    const claims = Array.from({ length: MAX_EVENTS }, () => ({
      ...claim,
      ...kind,
      event_id: event.id,
      primary_claim_id: null,
    }));
    const part = {
      part_number: 1,
      respawn_id: spot.id,
      hour_start: 3,
      hour_end: 4,
      last_date: '2027-03-01',
    };
    await changeUnheard(app, async (tx) => {
      const made = await tx.insertInto('claims').values(claims).returning('id').execute();
      await tx
        .insertInto('claim_parts')
        .values(made.map(({ id }) => ({ ...part, claim_id: id })))
        .execute();
    });
    let moments = 0;
    const clock = {
      ss_time_zone: 'America/Los_Angeles',
      get ss_hour() {
        moments += 1;
        return 1;
      },
    };
    const dates = { from: '2026-10-22', to: '2027-02-19' };
    const places = await findParts(app.ctx.db, { ...dates, character_key: 'everywhere', clock });
    expect(places).toHaveLength(MAX_EVENTS);
    expect([places[0]?.date, places[120]?.date, places[121]?.date]).toEqual([
      dates.from,
      dates.to,
      dates.from,
    ]);
    // A start and an end each.
    expect(moments).toBe(2 * MAX_EVENTS);
    await changeUnheard(app, (tx) =>
      tx.deleteFrom('claims').where('character_key', '=', 'everywhere').execute(),
    );
  });

  it('forgets what is older than thirty days', async () => {
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const path = await aCalendar(app, key);
    const [claim] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: spot.id }),
      aClaim(key, { respawn_id: spot.id, date: '2026-11-22' }),
    );
    expect(await calendarEntries(app, path)).toHaveLength(2);
    await deleteClaim(app, claim);
    expect(await calendarEntries(app, path)).toHaveLength(2);
    app.setNow('2026-12-22T18:00:00.000Z');
    expect(inShort(await calendarEntries(app, path))).toEqual(['CONFIRMED 19:00-23:00']);
  });

  it('has a secret address that is shown once and stored as a hash; a new one replaces it, and revoking ends it', async () => {
    const key = await aKey(app);
    expect(await state(key)).toEqual({ exists: false, made_at: null });
    const path = await aCalendar(app, key);
    const [, token = ''] = /^\/calendar\/([\w-]{43})\.ics$/.exec(path) ?? [];
    expect(token).not.toBe('');
    expect(await state(key)).toEqual({ exists: true, made_at: '2026-11-21T18:00:00.000Z' });
    const rows = await app.ctx.db.selectFrom('calendars').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    await fetched(app, path).expect(200);
    const next = await aCalendar(app, key);
    await fetched(app, path).expect(404);
    await fetched(app, next).expect(200);
    await app.api.delete('/calendar').set(asMember(key)).expect(200, { success: true });
    await app.api.delete('/calendar').send({ access_key: key.key_value }).expect(200);
    expect(await state(key)).toEqual({ exists: false, made_at: null });
    expectRefusal(
      await fetched(app, next),
      404,
      'calendar.notFound',
      'This calendar no longer exists',
      {},
    );
  });

  it('never gives an event a lower number, under a later address either', async () => {
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const first = await aCalendar(app, key);
    await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    const before = only(await calendarEntries(app, first));
    await app.api.delete('/calendar').set(asMember(key)).expect(200);
    const after = only(await calendarEntries(app, await aCalendar(app, key, { language: 'pt' })));
    expect(after.uid).toBe(before.uid);
    expect(after.sequence).toBeGreaterThan(before.sequence);
  });

  it('is not found while the key is revoked or the character banned, and for good once the key is deleted', async () => {
    const revoked = await aKey(app);
    const banned = await aKey(app);
    const deleted = await aKey(app);
    const paths = [
      await aCalendar(app, revoked),
      await aCalendar(app, banned),
      await aCalendar(app, deleted),
    ];
    await admin(app, `put /admin/access-keys/${revoked.id}/revoke`).expect(200);
    await ban(app, banned);
    await admin(app, `delete /admin/access-keys/${deleted.id}`).expect(200);
    const unknown = await fetched(app, `/calendar/${'x'.repeat(43)}.ics`);
    for (const path of paths) {
      const { status, body, headers } = await fetched(app, path);
      expect({ status, body }).toEqual({ status: 404, body: unknown.body });
      expect(Object.keys(headers)).toEqual(Object.keys(unknown.headers));
    }
    await admin(app, `put /admin/access-keys/${revoked.id}/enable`).expect(200);
    await fetched(app, paths[0] ?? '').expect(200);
    const again = await aKey(app, deleted.character_name);
    expect(await state(again)).toEqual({ exists: false, made_at: null });
    await fetched(app, paths[2] ?? '').expect(404);
    await fetched(app, await aCalendar(app, again)).expect(200);
  });

  it('is for members only, and neither creating nor reading it advances the clock', async () => {
    const key = await aKey(app);
    const revoked = await aKey(app);
    await admin(app, `put /admin/access-keys/${revoked.id}/revoke`).expect(200);
    await submitted(app, key, aClaim(key, { respawn_id: (await aRespawn(app)).id }));
    await expectNoTick(app, async () => {
      await fetched(app, await aCalendar(app, key)).expect(200);
      expect((await app.api.get('/calendar').set(app.admin).expect(200)).body.data).toEqual({
        exists: false,
        made_at: null,
      });
      for (const method of ['post', 'delete'] as const) {
        expectRefusal(
          await app.api[method]('/calendar'),
          401,
          'session.required',
          'Access denied',
          {},
        );
        const ofMembers = 'This is for members. Use the access key of a character.';
        expectRefusal(
          await app.api[method]('/calendar').set(app.admin),
          403,
          'key.required',
          ofMembers,
          {},
        );
        const refused = await app.api[method]('/calendar').set(asMember(revoked));
        expect([refused.status, refused.body.code]).toEqual([403, 'session.keyRevoked']);
      }
      expect(
        (await app.api.post('/calendar').set(asMember(key)).send({ language: 'tlh' })).status,
      ).toBe(400);
    });
  });

  it('speaks the language that it was made in, and names the guild', async () => {
    const key = await aKey(app, undefined, 'vice');
    const spot = await aRespawn(app, 'Ñandú \\ Cave, "Ω"; 🐉'.padEnd(58, 'x'));
    await submitted(
      app,
      key,
      aClaim(key, { respawn_id: (await aRespawn(app)).id }),
      aClaim(key, { respawn_id: spot.id, is_secondary_claim: 1 }),
    );
    await admin(app, 'put /admin/config', { guild_name: 'Rosa; Azul, ñ' }).expect(200);
    const names: unknown[] = [];
    for (const language of ['en', 'es', 'pt']) {
      const calendar = parsed(
        (await fetched(app, await aCalendar(app, key, { language })).expect(200)).text,
      );
      names.push(calendar.getFirstPropertyValue('x-wr-calname'));
      names.push(
        calendar
          .getAllSubcomponents('vevent')
          .map((each) => eventIn(each).summary)
          .at(-1),
      );
    }
    await admin(app, 'put /admin/config', { guild_name: null }).expect(200);
    const name = `Rosa; Azul, ñ: ${key.character_name}`;
    const says = (what: string) => `${spot.name} (${what})`;
    expect(names).toEqual([
      name,
      says('secondary claim'),
      name,
      says('reserva secundaria'),
      name,
      says('reserva secundária'),
    ]);
  });

  it('is sent once: a client with the current version gets a 304, and nothing is written', async () => {
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const path = await aCalendar(app, key);
    await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    const { headers } = await fetched(app, path)
      .expect(200)
      .expect('Cache-Control', 'private, no-cache');
    const stored = () =>
      app.ctx.db
        .selectFrom('calendars')
        .selectAll()
        .where('character_key', '=', key.character_name.toLowerCase())
        .execute();
    const before = await stored();
    expect(before).toHaveLength(1);
    for (const etag of [headers.etag, `W/${headers.etag}`, `"other", ${headers.etag}`]) {
      const { text } = await fetched(app, path, { 'If-None-Match': etag ?? '' })
        .expect(304)
        .expect('ETag', headers.etag ?? '');
      expect(text).toBe('');
    }
    const head = await supertest(app.url)
      .head(path)
      .expect(200)
      .expect('ETag', headers.etag ?? '');
    expect(head.text).toBeUndefined();
    expect(await stored()).toEqual(before);
    await submitted(app, key, aClaim(key, { respawn_id: spot.id, date: '2026-11-22' }));
    await fetched(app, path, { 'If-None-Match': headers.etag ?? '' }).expect(200);
  });

  it('shows the claims at the moment it is stored, however long ago it was requested, and the same to all requests', async () => {
    const { writes } = app.ctx;
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const path = await aCalendar(app, key);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const before = writes.transaction(() => released);
    const waiting = (count: number) => expect.poll(writes.waiting, { timeout: 20_000 }).toBe(count);
    await waiting(0);
    const edit = Promise.resolve(
      admin(app, `put /claims/admin/${claim?.id}`, { hour_start: 2, hour_end: 3 }).expect(200),
    );
    await waiting(1);
    const reads = [calendarEntries(app, path), calendarEntries(app, path)];
    await waiting(3);
    release();
    const [one, other] = await Promise.all(reads);
    await Promise.all([before, edit]);
    expect(inShort(one ?? [])).toEqual(['CONFIRMED 11:00-12:00']);
    expect(other).toEqual(one);
    expect(await calendarEntries(app, path)).toEqual(one);
  });

  it('says the same to many who ask at once after a change', async () => {
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const path = await aCalendar(app, key);
    const dates = ['2026-11-21', '2026-11-22', '2026-11-23'];
    for (const date of dates) {
      const change = submitted(app, key, aClaim(key, { respawn_id: spot.id, date }));
      const reads = Array.from({ length: 8 }, () => calendarEntries(app, path));
      await Promise.all([change, ...reads]);
    }
    const [one, ...others] = await Promise.all(
      Array.from({ length: 4 }, () => calendarEntries(app, path)),
    );
    expect(one).toHaveLength(3);
    for (const other of others) expect(other).toEqual(one);
  });
});

it('two servers on one database return the same, and neither an older state as a newer one', async () => {
  const on = await filledDatabase('postgres');
  onTestFinished(on.drop);
  const one = await createTestApp('postgres', { on });
  const two = await createTestApp('postgres', { on });
  const key = await aKey(one);
  const path = await aCalendar(one, key);
  const [claim] = await submitted(one, key, aClaim(key));
  const entries: CalendarEntry[] = [];
  for (let hour = 1; hour < 10; hour += 1) {
    const edit = admin(one, `put /claims/admin/${claim?.id}`, {
      hour_start: hour,
      hour_end: hour + 1,
    }).expect(200);
    // Concurrent requests may return either state; afterwards both servers return the same.
    const meanwhile = Promise.all([
      calendarEntries(two, path),
      calendarEntries(one, path),
      calendarEntries(two, path),
    ]);
    await edit;
    entries.push(...(await meanwhile).flat());
    const mine = only(await calendarEntries(one, path));
    const theirs = only(await calendarEntries(two, path));
    expect(theirs).toEqual(mine);
    entries.push(mine);
  }
  const starts = Map.groupBy(entries, ({ sequence }) => sequence);
  for (const [sequence, same] of starts)
    expect(new Set(same.map(({ start }) => start)).size, `number ${sequence}`).toBe(1);
  const inOrder = [...starts]
    .sort(([one], [two]) => one - two)
    .map(([, [first]]) => first?.start ?? '');
  expect(inOrder.slice(1)).toEqual(inOrder.slice(1).sort());
});

describe('the addresses of calendars', () => {
  it('are those of the board where the settings name it', async () => {
    const app = await createTestApp('sqlite', { env: { PUBLIC_URL: 'https://board.example' } });
    const { body } = await app.api
      .post('/calendar')
      .set(asMember(await aKey(app)))
      .expect(200);
    expect(body.data.url).toMatch(/^https:\/\/board\.example\/calendar\/[\w-]{43}\.ics$/);
  });

  it('are never made from the Host header: without the setting the answer is a path, and the file has no links', async () => {
    const named = await createTestApp('sqlite', { env: { PUBLIC_URL: 'https://board.example' } });
    const unnamed = await createTestApp('sqlite', { env: { TRUST_PROXY: '1' } });
    const forged = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
    for (const [app, host, origin] of [
      [named, 'board.example', 'https://board.example'],
      [unnamed, 'evil.example', ''],
    ] as const) {
      const key = await aKey(app);
      const [claim] = await submitted(app, key, aClaim(key));
      const { body } = await app.api
        .post('/calendar')
        .set({ ...asMember(key), ...forged, Host: host })
        .expect(200);
      expect(body.data.url.replace(/[\w-]{43}/, '')).toBe(`${origin}/calendar/.ics`);
      const { pathname } = new URL(body.data.url, 'http://any');
      const { text } = await fetched(app, pathname, { ...forged, Host: host }).expect(200);
      expect(text).not.toContain('evil.example');
      const { url } = eventIn(
        parsed(text).getAllSubcomponents('vevent')[0] ?? expect.fail('no event'),
      );
      expect(url).toBe(origin && `${origin}/?date=${TODAY}&claim=${claim?.id}`);
    }
  });

  it('cannot be guessed at will: many guesses have to wait, and a right address is still served', async () => {
    const app = await createTestApp('sqlite');
    const path = await aCalendar(app, await aKey(app));
    for (let tries = 0; tries < 30; tries += 1)
      await fetched(app, `/calendar/${'y'.repeat(tries % 2 ? 43 : 7)}.ics`).expect(404);
    const { body, headers } = await fetched(app, `/calendar/${'z'.repeat(43)}.ics`).expect(429);
    expect(body.code).toBe('request.tooManyTries');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await fetched(app, path).expect(200);
  });

  it('are nothing else: another path there is no page of the board’s', async () => {
    const app = await createTestApp('sqlite');
    for (const path of [
      '/calendar/.ics',
      '/calendar/a%00b.ics',
      '/calendar/%ff.ics',
      `/calendar/${'x'.repeat(5_000)}.ics`,
    ]) {
      const { status, text } = await fetched(app, path);
      expect([400, 404], path).toContain(status);
      expect(text).not.toContain('<html');
    }
  });
});
