import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { PUBLIC_EVENT_TYPES } from '../../shared/schemas/domain-events.ts';
import { admin } from '../activity/test/write.ts';
import { writesOfBoard } from '../activity/test/writes-of-board.ts';
import { writesOfPeople } from '../activity/test/writes-of-people.ts';
import { routes } from '../app.ts';
import { BoardWatcher } from '../dev/test/board-watcher.ts';
import {
  aClaim,
  aDestination,
  aKey,
  aName,
  anActiveEvent,
  asMember,
  change,
  noActiveEvent,
  submitAsAdmin,
  submitted,
} from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { later, tidyUp } from '../dev/test/jobs.ts';
import { answering, startReceiver } from '../dev/test/receiver.ts';
import { isLong } from '../dev/test/scope.ts';
import { createSuiteApp, type TestApp, TODAY } from '../dev/test/test-app.ts';
import { jobKindsOf } from '../feature.ts';
import { features } from '../features.ts';
import type { Route } from '../http/router.ts';
import type { InsideKind, OutsideKind } from '../jobs/job-kind.ts';
import { createJobs } from '../jobs/runner.ts';
import { serveGameData } from '../members/verification/test/game-data.ts';
import { aCalendar, calendarEntries } from '../notifications/calendar/test/calendar.ts';
import { sendEvents } from '../notifications/channels/send.ts';
import { sendBy } from '../notifications/notices/send.ts';
import { pushMedium } from '../notifications/push/medium.ts';
import { subscribed } from '../notifications/push/test/browser.ts';
import { DATABASE_FILE } from './sqlite.ts';
import { fillWithHistory } from './test/grown.ts';
import { analyze, type Plan, postgresPlans, sqlitePlans } from './test/plans.ts';
import { recordStatements } from './test/statements.ts';

const recorder = recordStatements();
const data = await serveGameData();
afterAll(data.close);
const receiver = await startReceiver(answering(204));
afterAll(receiver.close);

/** Rows of one table that a statement may read for an answer: a board's worth, a spot's, a page, an event's. */
const MAX_ROWS = 1_000;

/** What may read all of a table, and why. */
const EXCEPTIONS: readonly RegExp[] = [
  // The newest entries: from the end of the table, and no more of them than asked.
  /from "activity" where action \|\| '' in \([^)]*\) order by "id" desc limit/,
  // How many rows a list shows, and a member type's deletion affects: counted by long reads (`db/worker-connection.ts`).
  /^select count\(\*\) as "n" from "(archived_)?(claims|claim_endings|events|access_keys|verifications|activity|waits)"/,
  // All open entries, for a snapshot or after a change that affects all waitlists; with the claims around them.
  /from "waits" where "ended_at" is null order by "id"$/,
  /from "waits" where ("waits"\.)?"id" in \((\$\d+, ){1000}/,
  // The first admin pages: the newest keys, and all records except unverified codes.
  /from "access_keys" where "id" <= \S+ order by "id" desc limit/,
  /^select "verifications".* where \("verifications"."verified_at" is not null or "verifications"."code" is null or/,
  // Whether there is any, and the oldest: from the beginning of the table, and no more of it than asked.
  /^select "id"(, "at")? from "(outbox|push_subscriptions)"( order by "id")? limit \S+$/,
  // Of one character's at most eleven browsers, the one renewed longest ago.
  /^delete from "push_subscriptions" where "character_key" = \S+ and "id" not in \(select "id" from "push_subscriptions" where "character_key" = /,
];
const isExcepted = ({ sql }: { sql: string }): boolean =>
  EXCEPTIONS.some((pattern) => pattern.test(sql));

const gets = routes.filter(({ method }) => method === 'get');
/** Every query parameter of a read, together and alone; a call ignores those of others. */
const QUERIES = [
  { from: TODAY, to: TODAY, character_name: 'Old 3' },
  { from: TODAY, to: TODAY },
  { limit: 50, character: 'Old 3' },
  { limit: 50, before: 3_000 },
  { limit: 50, from: '2026-01-01', to: '2026-01-31' },
  { limit: 50, action: 'event_created', admin: 'admin' },
  { limit: 50, admin: 'admin', from: '2026-01-01', to: '2026-01-31' },
  { limit: 50, action: 'claim_history' },
  { limit: 50, name: 'Old' },
  { limit: 50, name: 'Old 3', action: 'claim_created', from: '2026-01-01', to: '2026-01-31' },
  { limit: 50, except_event: 120 },
  { limit: 50, reason: 'no_show' },
  { limit: 50, reason: 'no_show', from: '2026-01-01', to: '2026-01-31' },
];

/** The raw answer: parsing 20,000 keys would only cost time. */
const unparsed: Parameters<ReturnType<TestApp['api']['get']>['parse']>[0] = (res, done) => {
  let all = '';
  res.on('data', (piece) => {
    all += piece;
  });
  res.on('end', () => done(null, all));
};

/** How a call uses these parameters, in words: equal uses share one check. */
function heardBy({ query }: Route, sent: object): string {
  // As they come in an address.
  const { data } = query.safeParse(
    Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])),
  );
  return JSON.stringify(data ?? 'refused');
}

async function askAll(app: TestApp): Promise<void> {
  const member = asMember(await aKey(app));
  for (const call of gets) {
    const path = call.path.replace(':id', '120').replace(':date', TODAY).replace(/:\w+/g, 'Old 3');
    const checked = new Set<string>();
    for (const [at, query] of QUERIES.entries()) {
      const sent = { date: TODAY, ...query };
      const statements = heardBy(call, sent);
      if (checked.has(statements)) continue;
      checked.add(statements);
      const as = call.access === 'member' ? member : app.admin;
      const { status, body } = await app.api
        .get(path)
        .query(sent)
        .set(as)
        .buffer(true)
        .parse(unparsed);
      // Sign-in with Discord redirects; a call that needs its dates refuses the others.
      expect(
        at === 0 ? [200, 302, 404] : [200, 302, 404, 400],
        `${path} ${JSON.stringify(query)}: ${body}`,
      ).toContain(status);
    }
  }
}

/** Requests a snapshot, and then the missed changes. */
async function watch(app: TestApp): Promise<void> {
  for (const auth of [
    { admin_token: app.admin.Authorization.replace('Bearer ', '') },
    { access_key: (await aKey(app)).key_value },
  ]) {
    const watcher = new BoardWatcher(app.url, auth);
    await watcher.connect();
    watcher.disconnect();
    await aKey(app);
    await watcher.connect();
    watcher.disconnect();
  }
}

/** The calendar of a member with years of claims, once with changes and once without. */
async function readCalendars(app: TestApp): Promise<void> {
  const key = { key_value: 'KEY-3' };
  await app.api.get('/calendar').set(asMember(key)).expect(200);
  const path = await aCalendar(app, key);
  for (let times = 0; times < 2; times += 1)
    expect((await calendarEntries(app, path)).length).toBeGreaterThan(0);
}

/** A little of what is old: of each kind once, an event's first step and its next. */
async function tidy(app: TestApp): Promise<void> {
  Object.assign(app.ctx.env, {
    ARCHIVE_AFTER_DAYS: 10,
    ACTIVITY_KEPT_DAYS: 10,
    UNDO_KEPT_DAYS: 10,
  });
  for (const ofEvents of [true, true, false]) {
    if (!ofEvents)
      await recorder.unheard(() =>
        change(app, ({ tx }) => tx.deleteFrom('events').where('is_active', '=', 0).execute()),
      );
    expect(await tidyUp(app)).toBe(true);
  }
}

/** Sends events and notices to their subscribers; from then on every write has a subscriber. */
async function sendAll(app: TestApp): Promise<void> {
  const subscriber = await aKey(app);
  await subscribed(app, subscriber, { endpoint: `${receiver.url}push` });
  await aDestination(app, {
    kind: 'discord',
    url: `${receiver.url}discord`,
    events: [...PUBLIC_EVENT_TYPES],
  });
  const made = await aDestination(app, { url: `${receiver.url}hook`, events: ['claim.deleted'] });
  // A new subscription gets events from now on.
  await admin(app, `put /admin/destinations/${made.id}`, {
    events: [...PUBLIC_EVENT_TYPES],
  }).expect(200);
  const [claim] = await submitted(
    app,
    subscriber,
    aClaim(subscriber, { date: '2026-12-24', hour_start: 16, hour_end: 18 }),
  );
  await admin(app, `put /claims/admin/${claim?.id}`, { hour_start: 17, hour_end: 19 }).expect(200);
  app.setNow('2026-11-21T18:00:10.000Z');
  const jobs = createJobs(app.ctx, [sendEvents, sendBy(pushMedium)]);
  receiver.received.length = 0;
  await jobs.runDue();
  await vi.waitUntil(() => new Set(receiver.received.map(({ path }) => path)).size === 3, {
    timeout: 30_000,
  });
  await jobs.stop();
}

/** Everything that is done later, whether or not there is something to do, and what becomes of a job on its way. */
async function runJobs(app: TestApp): Promise<void> {
  const { ctx } = app;
  for (const kind of jobKindsOf(features)) {
    if (kind.runs === 'outside') continue;
    await kind.isNeeded?.(ctx);
    await change(app, (unit) =>
      kind.run({ ...unit, ctx }, { key: '', payload: null, due_at: ctx.now(), attempt: 1 }),
    );
  }
  const common = { payload: z.null(), max_running: 5, timeout_s: 60 } as const;
  const ends: OutsideKind<null> = {
    ...common,
    kind: 'test.ends',
    runs: 'outside',
    run: async () => undefined,
  };
  const fails: OutsideKind<null> = {
    ...common,
    kind: 'test.fails',
    runs: 'outside',
    run: () => Promise.reject(new Error('fails')),
  };
  const inside: InsideKind<null> = {
    kind: 'test.inside',
    runs: 'inside',
    payload: z.null(),
    run: async () => undefined,
  };
  for (const kind of [ends, fails, inside])
    await later(app, kind, { key: 'k', due_at: ctx.now(), payload: null });
  const jobs = createJobs(ctx, [...jobKindsOf(features), ends, fails, inside]);
  await jobs.runDue();
  const waiting = () =>
    ctx.db
      .selectFrom('jobs')
      .select('attempts')
      .where('kind', 'in', ['test.ends', 'test.fails', 'test.inside'])
      .execute();
  await vi.waitUntil(async () => (await waiting()).length === 1);
  await ctx.metrics.registry.metrics();
  await jobs.stop();
}

async function doEverything(app: TestApp): Promise<void> {
  // From now on every event has a subscriber.
  await sendAll(app);
  await askAll(app);
  await watch(app);
  await readCalendars(app);
  for (const { make } of Object.values({ ...writesOfPeople, ...writesOfBoard })) {
    const { status, body } = await (await make(app, data))();
    expect([200, 201], JSON.stringify(body)).toContain(status);
  }
  const claim = aClaim({ character_name: aName() });
  await submitAsAdmin(app, 'member', claim).set('Idempotency-Key', 'a').expect(201);
  await anActiveEvent(app);
  await askAll(app);
  await noActiveEvent(app);
  await tidy(app);
  await runJobs(app);
}

// A missing index shows on SQLite, too.
describe.each(isLong ? databases : (['sqlite'] as const))(
  'of a table that grows, on %s',
  (dialect) => {
    const app = createSuiteApp(dialect, {
      env: { CHARACTER_API_URL: data.url, ALLOW_PRIVATE_DESTINATIONS: '1' },
    });
    let plans: Plan[] = [];
    beforeAll(async () => {
      await recorder.unheard(async () => {
        await change(app, ({ tx }) => fillWithHistory(tx, dialect, TODAY));
        await app.api
          .put('/admin/config')
          .set(app.admin)
          .send({ transfers_enabled: 1 })
          .expect(200);
        // As its autovacuum does; SQLite plans without having counted anything.
        if (dialect === 'postgres') await analyze(app.settings.DATABASE_URL ?? '');
      });
      await doEverything(app);
      plans = await recorder.unheard(async () =>
        dialect === 'sqlite'
          ? sqlitePlans(path.join(app.settings.DATA_DIR, DATABASE_FILE), recorder.ran('sqlite'))
          : postgresPlans(app.settings.DATABASE_URL ?? '', recorder.ran('postgres'), MAX_ROWS),
      );
    });

    it('no statement of any call reads all', () => {
      expect(plans.length).toBeGreaterThan(90);
      expect(plans.filter((plan) => plan.faults.length > 0 && !isExcepted(plan))).toEqual([]);
    });
  },
);

it('every foreign key has an index, for cascades and restrictions', () => {
  const sqlite = new BetterSqlite(inject('templates').filled.sqlite, { readonly: true });
  onTestFinished(() => void sqlite.close());
  const names = (about: string): string[] =>
    sqlite
      .prepare<[], { name: string }>(`select name from ${about}`)
      .all()
      .map(({ name }) => name);
  const bare = names("sqlite_master where type = 'table'").flatMap((table) => {
    const indexed = names(`pragma_index_list('${table}') where partial = 0`).map(
      (index) => names(`pragma_index_info('${index}') order by seqno`)[0],
    );
    const keys = sqlite
      .prepare<[], { from: string }>(`select "from" from pragma_foreign_key_list('${table}')`)
      .all();
    return keys.filter(({ from }) => !indexed.includes(from)).map(({ from }) => `${table}.${from}`);
  });
  expect(bare).toEqual([]);
});
