import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { CONFIG_ID } from '../../shared/kinds.ts';
import { adminCommand } from '../cli/admin/command.ts';
import type { Dialect } from '../db/database.ts';
import { aClaim, aDestination, aKey, aSpot, asMember, submitted } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { answering, aReceiver } from '../dev/test/receiver.ts';
import { createTestApp, NOW } from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';
import { readEnv } from '../env.ts';
import { notifyingJobsOf } from '../feature.ts';
import { features } from '../features.ts';
import { restoreArchive } from '../ops/backup/restore.ts';
import { anEmpty, backedUp } from '../ops/backup/test/records.ts';
import { AT_HOME, at, deliveriesOf, later } from './channels/test/sending.ts';
import { timeOf } from './push/test/due.ts';
import { aPushService } from './push/test/push-service.ts';

vi.setConfig({ testTimeout: 120_000 });

/** A copy of a guild that has a message waiting, and whose members claim there, too. */
async function aRestoredCopy(dialect: Dialect) {
  const receiver = await aReceiver(answering(204));
  const original = await createTestApp(dialect, { env: AT_HOME });
  const { id } = await aDestination(original, { url: receiver.url });
  const key = await aKey(original);
  await submitted(original, key, aClaim(key, { respawn_id: aSpot() }));
  const file = await backedUp(original.settings);
  const on = await anEmpty(dialect);
  await restoreArchive(file, {
    env: readEnv(on.settings),
    log: pino({ level: 'silent' }),
    notifyingJobs: notifyingJobsOf(features),
    now: () => new Date(later(NOW, 60)),
  });
  const copy = await createTestApp(dialect, { env: AT_HOME, on, now: later(NOW, 60) });
  copy.setNow(later(NOW, 120));
  await submitted(copy, key, aClaim(key, { respawn_id: aSpot(), date: '2026-11-22' }));
  copy.setNow(later(NOW, 180));
  await copy.runDue();
  return { receiver, copy, id };
}
const datesOf = (received: readonly { body: string }[]): string[] =>
  received.map(({ body }) => JSON.parse(body).data.date);

it.each(databases)(
  'a restored copy on %s sends nothing until an owner resumes, then only later events',
  async (dialect) => {
    const { receiver, copy, id } = await aRestoredCopy(dialect);
    const system = async () =>
      (await copy.api.get('/admin/system').set(copy.admin).expect(200)).body.data;
    expect(receiver.received).toEqual([]);
    const watcher = new Watcher(copy.url, {
      admin_token: copy.admin.Authorization.replace('Bearer ', ''),
    });
    await watcher.connect();
    const isPaused = () => watcher.records('config').get(CONFIG_ID)?.notifications_paused;
    await expect.poll(isPaused).toBe(1);
    expect((await system()).notifications).toEqual({ paused_at: later(NOW, 60) });
    const test = await copy.api.post(`/admin/destinations/${id}/test`).set(copy.admin).send({});
    expect([test.status, test.body.code]).toEqual([409, 'notifications.paused']);

    await copy.api.post('/admin/system/resume-notifications').set(copy.admin).expect(200);
    await expect.poll(isPaused).toBe(0);
    await at(copy, later(NOW, 181));
    expect(datesOf(receiver.received)).toEqual(['2026-11-22']);
    const tries = await deliveriesOf(copy, { id });
    expect(tries.map(({ outcome, error }) => [outcome, error])).toEqual([
      ['delivered', null],
      ['given_up', 'restored'],
    ]);
    const [entry] = (await copy.api.get('/admin/activity-log').set(copy.admin).expect(200)).body
      .data.logs;
    expect(entry).toMatchObject({
      action: 'notifications_resumed',
      details: { paused_at: later(NOW, 60), abandoned: 1 },
    });
    expect((await system()).notifications).toEqual({ paused_at: null });
  },
);

it.each(databases)(
  'a restored copy on %s never sends push notifications from before, however late they are due',
  async (dialect) => {
    const service = await aPushService();
    const env = { ...AT_HOME, PUBLIC_URL: 'https://board.example' };
    const original = await createTestApp(dialect, { env });
    const key = await aKey(original);
    const browser = await service.browser(original, key);
    const quiet = { time_zone: 'UTC', quiet_from: '17:00', quiet_until: '19:00' };
    await original.api.put('/push/preferences').set(asMember(key)).send(quiet).expect(200);
    const [claim] = await submitted(
      original,
      key,
      aClaim(key, { respawn_id: aSpot(), hour_start: 16, hour_end: 18 }),
    );
    const move = (app: typeof original, hour_start: number) =>
      app.api
        .put(`/claims/admin/${claim?.id}`)
        .set(app.admin)
        .send({ hour_start, hour_end: hour_start + 2 })
        .expect(200);
    await move(original, 17);
    await timeOf(original)(later(NOW, 60));
    const file = await backedUp(original.settings);
    const on = await anEmpty(dialect);
    await restoreArchive(file, {
      env: readEnv(on.settings),
      log: pino({ level: 'silent' }),
      notifyingJobs: notifyingJobsOf(features),
      now: () => new Date(later(NOW, 120)),
    });
    const copy = await createTestApp(dialect, { env, on, now: later(NOW, 120) });
    copy.setNow(later(NOW, 180));
    await move(copy, 18);
    await copy.api.post('/admin/system/resume-notifications').set(copy.admin).expect(200);
    await timeOf(copy)(later(NOW, 7_200));
    expect(await browser.gets(1)).toMatchObject([
      { body: expect.stringMatching(/Before: .+, SS\+17 to SS\+19/) },
    ]);
  },
);

it('is resumed by a command too, beside the running server', async () => {
  const { receiver, copy } = await aRestoredCopy('sqlite');
  const resume = async (): Promise<string> => {
    let output = '';
    const say = (text: string): void => {
      output += text;
    };
    await adminCommand({
      args: ['resume-notifications'],
      env: { ...copy.settings },
      stdin: process.stdin,
      out: say,
      err: say,
      now: copy.ctx.now,
    });
    return output;
  };
  expect([await resume(), await resume()]).toEqual([
    'Notifications are resumed.\n',
    'Notifications were not paused.\n',
  ]);
  await at(copy, later(NOW, 200));
  expect(datesOf(receiver.received)).toEqual(['2026-11-22']);
});
