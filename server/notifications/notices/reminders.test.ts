import { describe, expect, it, onTestFinished } from 'vitest';
import { instantOf } from '../../../shared/rules/server-save.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  asMember,
  aWait,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases, filledDatabase, usualDatabases } from '../../dev/test/databases.ts';
import { runNow } from '../../dev/test/jobs.ts';
import { createTestApp, NOW, type TestApp, type TestAppOptions } from '../../dev/test/test-app.ts';
import { readSettings } from '../../env.ts';
import { timeOf, waiting } from '../push/test/due.ts';
import { aPushService, type Browser, type PushService } from '../push/test/push-service.ts';
import { hourOf, nextTime, remindAtStart, remindBefore } from './reminders.ts';

const at = (minutes: number, from = NOW): string =>
  new Date(Date.parse(from) + minutes * 60_000).toISOString();
/** SS+11 of today begins 12:00 Pacific time. */
const BEGINS = 120;

interface Guild {
  app: TestApp;
  service: PushService;
  comes: (iso: string) => Promise<void>;
  ann: AccessKey;
  browser: Browser;
}

async function aGuild(
  dialect: (typeof databases)[number],
  options: TestAppOptions = {},
  config: object = {},
): Promise<Guild> {
  const app = await createTestApp(dialect, {
    ...options,
    env: { ALLOW_PRIVATE_DESTINATIONS: '1', ...options.env },
  });
  const service = await aPushService();
  const ann = await aKey(app, 'Ann');
  await app.api.put('/admin/config').set(app.admin).send(config).expect(200);
  return { app, service, comes: timeOf(app), ann, browser: await service.browser(app, ann) };
}
const prefer = ({ app, ann }: Guild, fields: object) =>
  app.api.put('/push/preferences').set(asMember(ann)).send(fields).expect(200);

describe.each(databases)('of the start of a hunt, on %s,', (dialect) => {
  it('is sent a quarter of an hour before, once, to its holder alone', async () => {
    const { app, service, comes, ann, browser } = await aGuild(dialect);
    const bob = await aKey(app);
    const cid = await aKey(app);
    const others = [await service.browser(app, bob), await service.browser(app, cid)];
    const [claim] = await submitted(app, ann, aClaim(ann, { hour_start: 11, hour_end: 13 }));
    await submitted(app, bob, aClaim(bob, { respawn_id: 2, hour_start: 12, hour_end: 13 }));
    await comes(at(BEGINS - 16));
    expect(service.received).toEqual([]);
    const clock = app.ctx.bus.clock();
    await comes(at(BEGINS - 15));
    expect(await browser.gets(1)).toEqual([
      {
        kind: 'hunt_begins',
        title: 'Your hunt starts in 15 minutes',
        language: 'en',
        body: expect.stringMatching(
          /^Ann: .+, Sat, Nov 21, 12:00 to 14:00 \(SS\+11 to SS\+13\)\.$/,
        ),
        tag: `hunt-${claim?.id}-1`,
        url: `/?date=2026-11-21&claim=${claim?.id}`,
      },
    ]);
    expect(browser.received[0]?.headers).toMatchObject({ urgency: 'normal', ttl: '900' });
    expect(app.ctx.bus.clock()).toBe(clock + 1);
    // For every clock jump, and any number of polls.
    for (const minutes of [-14, -1, 0, 5, -30, -15, -14]) {
      await comes(at(BEGINS + minutes));
      for (const kind of [remindBefore, remindAtStart]) await runNow(app, kind);
    }
    expect([browser.received.length, others.map(({ received }) => received.length)]).toEqual([
      1,
      [0, 0],
    ]);
  });

  it('is sent for each part of a split claim and each day of an event, not for secondary claims or holds', async () => {
    const guild = await aGuild(dialect);
    const { app, service, comes, ann, browser } = guild;
    const bob = await aKey(app, 'Bob', 'elite');
    const cid = await aKey(app, 'Cid');
    const dan = await aKey(app, 'Dan');
    const theirs = [
      await service.browser(app, bob),
      await service.browser(app, cid),
      await service.browser(app, dan),
    ];
    const split_parts = [
      { part_number: 1, respawn_id: 1, hour_start: 11, duration: 2 },
      { part_number: 2, respawn_id: 2, hour_start: 13, duration: 2 },
    ] as const;
    await submitted(
      app,
      ann,
      aClaim(ann, {
        hour_start: 11,
        hour_end: 13,
        is_split_claim: 1,
        split_parts: [...split_parts],
      }),
    );
    // A secondary claim at the same hour as another member's claim.
    const second = aClaim(bob, {
      hour_start: 11,
      hour_end: 13,
      is_secondary_claim: 1,
      secondary_priority: 5,
    });
    await submitted(app, bob, aClaim(bob, { respawn_id: 3, hour_start: 16, hour_end: 18 }), second);
    const [claim] = await submitted(
      app,
      cid,
      aClaim(cid, { respawn_id: 4, hour_start: 13, hour_end: 15 }),
    );
    await aWait(app, dan, { respawn_id: 4, hour_start: 13, hour_end: 15 });
    await comes(at(BEGINS - 15));
    expect((await browser.gets(1)).map(({ tag }) => tag)).toEqual([expect.stringMatching(/-1$/)]);
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    await comes(at(BEGINS + 104));
    await comes(at(BEGINS + 105));
    expect(
      (await browser.gets(2)).map(({ url, body }) => [url, /SS\+\d+ to SS\+\d+/.exec(body)?.[0]]),
    ).toEqual([
      [expect.stringMatching(/claim=1$/), 'SS+11 to SS+13'],
      [expect.stringMatching(/claim=1$/), 'SS+13 to SS+15'],
    ]);
    const kinds = theirs.map(({ notices }) =>
      notices.map(({ kind }) => kind).filter((kind) => kind === 'hunt_begins'),
    );
    expect(kinds).toEqual([[], [], []]);
  });

  it('is sent once by several servers that poll at once', async () => {
    if (dialect === 'sqlite') return;
    const on = await filledDatabase(dialect);
    onTestFinished(on.drop);
    const { app, ann, browser } = await aGuild(dialect, { on });
    const other = await createTestApp(dialect, { on, env: { ALLOW_PRIVATE_DESTINATIONS: '1' } });
    await submitted(app, ann, aClaim(ann, { hour_start: 11, hour_end: 12 }));
    for (const { setNow } of [app, other]) setNow(at(BEGINS - 15));
    await Promise.all([app, other, app, other].map((one) => runNow(one, remindBefore)));
    const noted = await app.ctx.db.selectFrom('push_reminders').selectAll().execute();
    expect(noted).toEqual([{ hour_at: at(BEGINS), reminder: 'before' }]);
    await browser.gets(1);
    await timeOf(app)(at(BEGINS - 15));
    await timeOf(other)(at(BEGINS - 15));
    expect(browser.received).toHaveLength(1);
  });
});

describe.each(usualDatabases)('of the start of a hunt, at any time, on %s,', (dialect) => {
  it('is sent on every day of an event whose claims have no dates of their own', async () => {
    const { app, comes, ann, browser } = await aGuild(dialect);
    await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-11-20T10:00',
      end_time: '2026-11-23T10:00',
    });
    await submitAsAdmin(app, 'member', {
      respawn_id: 1,
      character_name: ann.character_name,
      hour_start: 11,
      hour_end: 13,
    }).expect(201);
    for (const day of [0, 1, 2, 3]) await comes(at(day * 1_440 + BEGINS - 15));
    const notices = await browser.gets(3);
    expect(notices.map(({ url }) => url)).toEqual(
      ['21', '22', '23'].map((day) => `/?date=2026-11-${day}&claim=1`),
    );
  });

  it('is sent late after downtime, with fewer minutes, and not after the start', async () => {
    const { app, comes, ann, browser } = await aGuild(dialect);
    await submitted(
      app,
      ann,
      aClaim(ann, { hour_start: 11, hour_end: 12 }),
      aClaim(ann, { date: '2026-11-22', hour_start: 11, hour_end: 12 }),
    );
    await comes(at(BEGINS - 5));
    expect(await browser.gets(1)).toMatchObject([{ title: 'Your hunt starts in 5 minutes' }]);
    await comes(at(1_440 + BEGINS));
    expect([browser.received.length, await waiting(app)]).toEqual([1, []]);
  });

  it('waits for the end of quiet hours, unless the hunt has started by then', async () => {
    const guild = await aGuild(dialect);
    const { app, comes, ann, browser } = guild;
    const dates = ['2026-11-21', '2026-11-22'].map((date) =>
      aClaim(ann, { date, hour_start: 11, hour_end: 13 }),
    );
    await submitted(app, ann, ...dates);
    // By the guild's clock, which is the member's: until ten to twelve, and the next day until noon.
    await prefer(guild, { quiet_from: '01:00', quiet_until: '11:50' });
    await comes(at(BEGINS - 15));
    expect([browser.received, (await waiting(app)).map(({ due_at }) => due_at)]).toEqual([
      [],
      [at(BEGINS - 10)],
    ]);
    await comes(at(BEGINS - 10));
    expect(await browser.gets(1)).toMatchObject([{ title: 'Your hunt starts in 10 minutes' }]);
    await prefer(guild, { quiet_until: '12:00' });
    await comes(at(1_440 + BEGINS - 15));
    await comes(at(1_440 + BEGINS));
    expect([browser.received.length, await waiting(app)]).toEqual([1, []]);
  });

  it('names the current spot', async () => {
    const guild = await aGuild(dialect);
    const { app, comes, ann, browser } = guild;
    const [claim] = await submitted(app, ann, aClaim(ann, { hour_start: 11, hour_end: 13 }));
    await prefer(guild, { quiet_from: '01:00', quiet_until: '11:50', claim_changed: 0 });
    await comes(at(BEGINS - 15));
    expect(await waiting(app)).toHaveLength(1);
    await app.api
      .put(`/claims/admin/${claim?.id}/respawn`)
      .set(app.admin)
      .send({ respawn_id: 40 })
      .expect(200);
    await comes(at(BEGINS - 10));
    const { name } = await app.ctx.db
      .selectFrom('respawns')
      .select('name')
      .where('id', '=', 40)
      .executeTakeFirstOrThrow();
    expect(await browser.gets(1)).toMatchObject([
      { kind: 'hunt_begins', body: expect.stringContaining(name) },
    ]);
  });

  it('is sent on days on which the clock skips the hour, and once if it occurs twice', async () => {
    const spring = await aGuild(dialect, { now: '2026-03-07T18:00:00.000Z' });
    // SS+1 would begin at 02:00, which there is not: it begins with SS+2, at 03:00 Pacific time.
    await submitAsAdmin(
      spring.app,
      'member',
      aClaim(spring.ann, { date: '2026-03-08', hour_start: 1, hour_end: 4 }),
    ).expect(201);
    await spring.comes('2026-03-08T09:45:00.000Z');
    expect(await spring.browser.gets(1)).toMatchObject([
      { title: 'Your hunt starts in 15 minutes' },
    ]);
    const autumn = await aGuild(dialect, { now: '2026-10-31T18:00:00.000Z' });
    // SS+0 begins at the first 01:00, and is reminded of once.
    await submitAsAdmin(
      autumn.app,
      'member',
      aClaim(autumn.ann, { date: '2026-11-01', hour_start: 0, hour_end: 4 }),
    ).expect(201);
    await autumn.comes('2026-11-01T07:45:00.000Z');
    await autumn.browser.gets(1);
    await autumn.comes('2026-11-01T08:45:00.000Z');
    expect([autumn.browser.received.length, await waiting(autumn.app)]).toEqual([1, []]);
  });
});

describe.each(databases)('with confirmation, on %s,', (dialect) => {
  const CONFIRM = { confirm_enabled: 1, grace_minutes: 10 };

  it('to confirm is combined with the reminder before, and sent again at the start', async () => {
    const { app, comes, ann, browser } = await aGuild(dialect, {}, CONFIRM);
    const [claim] = await submitted(app, ann, aClaim(ann, { hour_start: 11, hour_end: 13 }));
    await comes(at(BEGINS - 15));
    const [before] = await browser.gets(1);
    expect(before).toMatchObject({
      kind: 'confirm_now',
      title: expect.stringMatching(/^Confirm now: /),
    });
    expect(before?.body).toMatch(/^Ann: starts in 15 minutes, .* Press “I'm here” by 12:10\.$/);
    await comes(at(BEGINS));
    const [, start, ...more] = await browser.gets(2);
    expect(more).toEqual([]);
    expect(start).toMatchObject({ kind: 'confirm_now', tag: before?.tag });
    expect(start?.body).toMatch(/^Ann: your hunt has started, .* by 12:10\.$/);
    expect(browser.received.map(({ headers }) => [headers.urgency, headers.ttl])).toEqual([
      ['high', '1500'],
      ['high', '600'],
    ]);
    expect(claim?.id).toBe(1);
  });

  it('is not sent to members who have confirmed, or whose window has passed', async () => {
    const { app, comes, ann, browser } = await aGuild(dialect, {}, CONFIRM);
    const dates = ['2026-11-21', '2026-11-22'].map((date) =>
      aClaim(ann, { date, hour_start: 11, hour_end: 13 }),
    );
    const [claim] = await submitted(app, ann, ...dates);
    await comes(at(BEGINS - 15));
    await browser.gets(1);
    await app.api.post(`/claims/${claim?.id}/confirm`).set(asMember(ann)).expect(200);
    await comes(at(BEGINS));
    await app.api.put('/admin/config').set(app.admin).send({ grace_minutes: 0 }).expect(200);
    await comes(at(1_440 + BEGINS - 15));
    await browser.gets(2);
    await comes(at(1_440 + BEGINS));
    expect([browser.received.length, await waiting(app)]).toEqual([2, []]);
  });

  it('without that preference is only the start, or nothing', async () => {
    const guild = await aGuild(dialect, {}, CONFIRM);
    const { app, comes, ann, browser } = guild;
    const dates = ['2026-11-21', '2026-11-22'].map((date) =>
      aClaim(ann, { date, hour_start: 11, hour_end: 13 }),
    );
    await submitted(app, ann, ...dates);
    await prefer(guild, { confirm_now: 0 });
    await comes(at(BEGINS - 15));
    expect(await browser.gets(1)).toMatchObject([{ kind: 'hunt_begins' }]);
    await comes(at(BEGINS));
    await prefer(guild, { hunt_begins: 0 });
    await comes(at(1_440 + BEGINS - 15));
    await comes(at(1_440 + BEGINS));
    expect([browser.received.length, await waiting(app)]).toEqual([1, []]);
  });
});

describe('the hours of a year', () => {
  it.each([
    ['America/Los_Angeles', 1],
    ['Europe/Berlin', 10],
    ['Europe/Berlin', 3],
    ['Asia/Kathmandu', 0],
  ])(
    'in %s, saved at %i, are each reminded of once, a quarter before and at the start',
    (SS_TIME_ZONE, SS_HOUR) => {
      const clock = { ss_time_zone: SS_TIME_ZONE, ss_hour: SS_HOUR };
      for (const [from, to] of [
        ['2026-03-06', '2026-03-31'],
        ['2026-10-23', '2026-11-04'],
      ] as const) {
        for (const when of ['before', 'start'] as const) {
          let now = instantOf(from, 0, clock);
          const env = { ...readSettings({}), SS_TIME_ZONE, SS_HOUR };
          const counts = new Map<string, number>();
          for (const end = instantOf(to, 0, clock); now < end; ) {
            const ctx = { env, now: () => now };
            const hour = hourOf(ctx, when);
            for (const { date, hour_start } of hour?.beginnings ?? []) {
              const name = `${date} ${hour_start}`;
              if (hour?.begins_at.getTime() !== instantOf(date, hour_start, clock).getTime())
                throw new Error(name);
              // A repetition at another time would show by the mark of its hour.
              if (counts.has(name) && counts.get(name) !== hour.begins_at.getTime())
                throw new Error(name);
              counts.set(name, hour.begins_at.getTime());
              const early = hour.begins_at.getTime() - now.getTime();
              expect([name, early]).toEqual([
                name,
                expect.toSatisfy(
                  (ms: number) => ms <= 900_000 && ms >= (when === 'before' ? 1 : -3_599_999),
                ),
              ]);
            }
            const next = nextTime(ctx, when);
            if (next <= now) throw new Error(`after ${now.toISOString()} comes nothing`);
            now = next;
          }
          const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
          // The first hour's quarter was over before this began.
          expect(counts.size).toBeGreaterThanOrEqual(days * 24 - 1);
        }
      }
    },
  );
});
