import { describe, expect, it } from 'vitest';
import type { NewDestination } from '../../../../shared/schemas/destination.ts';
import { deleteClaim, deleteEvent, undoLatest } from '../../../activity/test/undo.ts';
import {
  aClaim,
  aDestination,
  aKey,
  aMemberType,
  anActiveEvent,
  aRespawn,
  aWait,
  changeUnheard,
  disableRespawn,
  submitted,
} from '../../../dev/test/builders.ts';
import { databases } from '../../../dev/test/databases.ts';
import { expectRefusal } from '../../../dev/test/expect-refusal.ts';
import { createTestApp, NOW, type TestApp } from '../../../dev/test/test-app.ts';
import { notifyingJobsOf } from '../../../feature.ts';
import { features } from '../../../features.ts';
import { type Discord, startDiscord, unredactedLog } from '../../discord-app/test/stand-in.ts';
import { pauseNotifications } from '../../pause.ts';
import { shownChannel } from '../test/sending.ts';

const CLOSED = 'This board is no longer updated.';

type Body = { embeds: { title: string; description: string }[] };

describe.each(databases)('today’s board in a channel, on %s', (dialect) => {
  const lines: string[] = [];
  const aGuild = async (fields: object = {}) => {
    const discord = await startDiscord();
    const app = await createTestApp(dialect, {
      env: { ALLOW_PRIVATE_DESTINATIONS: '1' },
      context: { log: unredactedLog(lines) },
    });
    const channel = await aDestination(app, {
      kind: 'discord',
      url: discord.webhook.url,
      events: [],
      ...fields,
    });
    return { app, discord, channel };
  };
  const keep = (
    app: TestApp,
    { id }: Pick<NewDestination, 'id'>,
    category_id: number | null = null,
  ) => app.api.put(`/admin/destinations/${id}/board-message`).set(app.admin).send({ category_id });
  const end = (app: TestApp, { id }: Pick<NewDestination, 'id'>) =>
    app.api.delete(`/admin/destinations/${id}/board-message`).set(app.admin);
  const change = (app: TestApp, { id }: Pick<NewDestination, 'id'>, fields: object) =>
    app.api.put(`/admin/destinations/${id}`).set(app.admin).send(fields).expect(200);

  /** Runs what is due so many seconds after the start of the test, until nothing is any more. */
  const runAt = async (app: TestApp, seconds: number): Promise<void> => {
    app.setNow(new Date(Date.parse(NOW) + seconds * 1_000).toISOString());
    const due = async (): Promise<number> => {
      const jobs = await app.ctx.db
        .selectFrom('jobs')
        .select(['due_at', 'leased_until'])
        .where('kind', 'in', ['board-message.edit', 'board-message.close'])
        .execute();
      const now = app.ctx.now().toISOString();
      return jobs.filter(({ due_at, leased_until }) => leased_until !== null || due_at <= now)
        .length;
    };
    await expect
      .poll(
        async () => {
          await app.runDue();
          return due();
        },
        { timeout: 60_000 },
      )
      .toBe(0);
  };
  const texts = ({ webhook }: Discord): string[] =>
    [...(webhook.messages ?? new Map()).values()].map(
      (body) => (body as Body).embeds[0]?.description ?? '',
    );
  const calls = ({ calls: all }: Discord): string[] =>
    all.map(
      ({ method, path }) =>
        `${method} ${path.includes('/messages/') ? 'message' : path.split('?')[1]}`,
    );
  const listed = async ({ api, admin }: TestApp) =>
    (await api.get('/admin/board-messages').set(admin).expect(200)).body.data;
  const claimed = async (app: TestApp, name: string): Promise<void> => {
    const key = await aKey(app, name);
    const respawn = await aRespawn(app);
    await submitted(app, key, aClaim(key, { respawn_id: respawn.id, hour_start: 9, hour_end: 12 }));
  };

  it('is posted once, then edited: at most every 30 s, and at the start of an hour', async () => {
    const { app, discord, channel } = await aGuild();
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    expect([calls(discord), texts(discord)]).toEqual([
      ['POST wait=true'],
      [expect.stringContaining('No claims for the rest of the day.')],
    ]);
    await claimed(app, 'Ann');
    await claimed(app, 'Bob');
    await runAt(app, 29);
    expect(discord.webhook.edits).toBe(0);
    await runAt(app, 30);
    expect(discord.webhook.edits).toBe(1);
    expect(texts(discord)[0]).toMatch(/\*\*Now\*\*\n.*Ann\n.*Bob/);
    // Another day's claim is not shown.
    const key = await aKey(app, 'Cid');
    await submitted(app, key, aClaim(key, { date: '2026-11-22' }));
    await runAt(app, 3_599);
    expect(discord.webhook.edits).toBe(1);
    await runAt(app, 3_600);
    expect(discord.webhook.edits).toBe(2);
    expect(await listed(app)).toEqual([
      {
        destination_id: channel.id,
        category_id: null,
        sent_at: new Date(Date.parse(NOW) + 3_600_000).toISOString(),
        error: null,
      },
    ]);
    expect(calls(discord)).toEqual(['POST wait=true', 'PATCH message', 'PATCH message']);
    for (const secret of [
      'webhook-token_for-tests',
      ...(discord.webhook.messages ?? new Map()).keys(),
    ])
      expect(lines.join('\n')).not.toContain(secret);
  });

  it('is posted again after it was deleted, at most once in ten minutes', async () => {
    const { app, discord, channel } = await aGuild();
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    discord.webhook.messages?.clear();
    await claimed(app, 'Ann');
    await runAt(app, 60);
    expect(texts(discord)).toEqual([]);
    await claimed(app, 'Bob');
    await runAt(app, 599);
    expect(texts(discord)).toEqual([]);
    await runAt(app, 600);
    expect(texts(discord)).toEqual([expect.stringMatching(/Ann\n.*Bob/)]);
    expect((await shownChannel(app, channel)).last_error).toBeNull();
  });

  it('obeys 429, and after a failure sends what is true then', async () => {
    const { app, discord, channel } = await aGuild();
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    discord.refuseWith({ status: 429, body: { retry_after: 200 } });
    await claimed(app, 'Ann');
    await runAt(app, 30);
    expect((await shownChannel(app, channel)).last_error).toBe('HTTP 429');
    discord.refuseWith(null);
    await claimed(app, 'Bob');
    await runAt(app, 229);
    expect(discord.webhook.edits).toBe(0);
    await runAt(app, 230);
    expect([discord.webhook.edits, texts(discord)]).toEqual([
      1,
      [expect.stringMatching(/Ann\n.*Bob/)],
    ]);
    expect([(await shownChannel(app, channel)).last_error, (await listed(app))[0].error]).toEqual([
      null,
      null,
    ]);
  });

  it('whose address is dead switches the channel off, and is posted again when it is on again', async () => {
    const { app, discord, channel } = await aGuild();
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    discord.webhook.messages = null;
    await claimed(app, 'Ann');
    await runAt(app, 30);
    expect(await shownChannel(app, channel)).toMatchObject({ is_enabled: 0, switched_off: 'gone' });
    const before = discord.calls.length;
    await claimed(app, 'Bob');
    await runAt(app, 4_000);
    expect(discord.calls).toHaveLength(before);
    discord.webhook.messages = new Map();
    await change(app, channel, { is_enabled: 1 });
    await runAt(app, 4_001);
    expect(texts(discord)).toHaveLength(1);
  });

  it('says once that it is no longer updated: switched off, paused, elsewhere, or with its channel deleted', async () => {
    const { app, discord, channel } = await aGuild();
    const keptAndPosted = async (at: number): Promise<void> => {
      await keep(app, channel).expect(200);
      await runAt(app, at);
    };
    await keptAndPosted(0);
    await end(app, channel).expect(200);
    await runAt(app, 1);
    expect(texts(discord)).toEqual([CLOSED]);
    expectRefusal(
      await end(app, channel),
      404,
      'destination.noBoard',
      "This channel doesn't keep the board.",
      {},
    );
    await keptAndPosted(100);
    expect(texts(discord)).toEqual([CLOSED, expect.stringContaining('Free now')]);
    await change(app, channel, { is_enabled: 0 });
    await runAt(app, 101);
    expect(texts(discord)).toEqual([CLOSED, CLOSED]);
    await change(app, channel, { is_enabled: 1 });
    await runAt(app, 200);
    const other = await startDiscord();
    await change(app, channel, { url: other.webhook.url });
    await runAt(app, 300);
    expect([texts(discord), texts(other)]).toEqual([
      [CLOSED, CLOSED, CLOSED],
      [expect.stringContaining('Free now')],
    ]);
    await app.api.delete(`/admin/destinations/${channel.id}`).set(app.admin).expect(200);
    await runAt(app, 400);
    expect([texts(other), await listed(app)]).toEqual([[CLOSED], []]);
    const edits = other.webhook.edits;
    await claimed(app, 'Ann');
    await runAt(app, 8_000);
    expect(other.webhook.edits).toBe(edits);
  });

  it('shows one category, and the channel’s language', async () => {
    const { app, discord, channel } = await aGuild({ language: 'pt' });
    await claimed(app, 'Ann');
    const categories = (await app.api.get('/categories')).body.data;
    const { id, name } = categories.at(-1);
    await keep(app, channel, id).expect(200);
    await runAt(app, 0);
    expect(texts(discord)[0]).toMatch(
      new RegExp(`Não há reservas para o resto do dia\\.\\n\\n\\*\\*Livres agora\\*\\*\\n${name}`),
    );
    expectRefusal(
      await keep(app, channel, 999_999),
      404,
      'category.notFound',
      'This category no longer exists.',
      {},
    );
    const hook = await aDestination(app);
    expect((await keep(app, hook)).body.code).toBe('destination.notDiscord');
  });

  it('pauses after a restore, and goes on when notifications are resumed', async () => {
    const { app, discord, channel } = await aGuild();
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    await claimed(app, 'Ann');
    await changeUnheard(app, (tx) =>
      pauseNotifications(tx, { now: app.ctx.now(), notifyingJobs: notifyingJobsOf(features) }),
    );
    app.setNow(new Date(Date.parse(NOW) + 7_200_000).toISOString());
    await app.runDue();
    expect(discord.webhook.edits).toBe(0);
    await app.api.post('/admin/system/resume-notifications').set(app.admin).expect(200);
    await runAt(app, 7_201);
    expect([discord.webhook.edits, texts(discord)]).toEqual([1, [expect.stringContaining('Ann')]]);
  });

  it('follows a deleted claim, its undo, another event and a spot that is disabled', async () => {
    const { app, discord, channel } = await aGuild();
    const key = await aKey(app, 'Ann');
    const spot = await aRespawn(app);
    const claim = aClaim(key, { respawn_id: spot.id, hour_start: 9, hour_end: 12 });
    const [made] = await submitted(app, key, claim);
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    const shows = async (at: number, text: string): Promise<void> => {
      await runAt(app, at);
      expect(texts(discord)).toEqual([expect.stringContaining(text)]);
    };
    await shows(0, 'Ann');
    await deleteClaim(app, made);
    await shows(30, 'No claims');
    await undoLatest(app, 'claim_deleted');
    await shows(60, 'Ann');
    // The claim belongs to no event: it still takes the hours.
    const event = await anActiveEvent(app);
    const before = discord.webhook.edits;
    await shows(90, 'Ann');
    expect(discord.webhook.edits).toBe(before + 1);
    await deleteEvent(app, event.id);
    await disableRespawn(app, spot.id);
    await shows(120, 'No claims');
  });

  it('shows a hold that is offered because waiting members may claim again', async () => {
    const { app, discord, channel } = await aGuild();
    await app.api.put('/config').set(app.admin).send({ waits_enabled: 1 });
    const type = await aMemberType(app);
    const owner = await aKey(app, 'Ann');
    const next = await aKey(app, 'Bob', type);
    const spot = await aRespawn(app);
    const hours = { respawn_id: spot.id, hour_start: 9, hour_end: 12 };
    const [made] = await submitted(app, owner, aClaim(owner, hours));
    await aWait(app, next, hours);
    const maySubmit = (can_submit: 0 | 1) =>
      app.api.put(`/admin/member-types/${type}`).set(app.admin).send({ can_submit }).expect(200);
    await maySubmit(0);
    await deleteClaim(app, made);
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    expect(texts(discord)).toEqual([expect.stringContaining('No claims')]);
    await maySubmit(1);
    await runAt(app, 30);
    expect(texts(discord)).toEqual([expect.stringContaining('held for Bob')]);
  });

  it('is edited when the channel gets another language', async () => {
    const { app, discord, channel } = await aGuild();
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    await change(app, channel, { language: 'es' });
    await runAt(app, 30);
    expect(texts(discord)).toEqual([expect.stringContaining('Libres ahora')]);
  });

  it('goes on after the clock ran ahead and jumped back', async () => {
    const { app, discord, channel } = await aGuild();
    await keep(app, channel).expect(200);
    await runAt(app, 7_200);
    discord.webhook.messages?.clear();
    await claimed(app, 'Ann');
    await runAt(app, 100);
    await claimed(app, 'Bob');
    await runAt(app, 130);
    expect(texts(discord)).toEqual([expect.stringMatching(/Ann\n.*Bob/)]);
  });

  it('that Discord refuses is not tried with each change', async () => {
    const { app, discord, channel } = await aGuild();
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    discord.refuseWith({ status: 400, body: { code: 50_035, message: 'Invalid Form Body' } });
    await claimed(app, 'Ann');
    await runAt(app, 30);
    const before = discord.calls.length;
    await claimed(app, 'Bob');
    await runAt(app, 59);
    expect(discord.calls).toHaveLength(before);
    discord.refuseWith(null);
    await runAt(app, 60);
    expect(texts(discord)).toEqual([expect.stringMatching(/Ann\n.*Bob/)]);
  });

  it('forgets failures at another address', async () => {
    const { app, discord, channel } = await aGuild();
    discord.refuseWith({ status: 429, body: { retry_after: 3_000 } });
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    const other = await startDiscord();
    await change(app, channel, { url: other.webhook.url });
    await runAt(app, 1);
    expect(texts(other)).toHaveLength(1);
  });

  it('says that it is no longer updated if it is switched off while it is being posted', async () => {
    const { app, discord, channel } = await aGuild();
    const { post } = app.ctx;
    app.ctx.post = async (message) => {
      const answer = await post(message);
      app.ctx.post = post;
      await change(app, channel, { is_enabled: 0 });
      return answer;
    };
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    expect(texts(discord)).toEqual([CLOSED]);
  });

  it('that a stopping server was posting is posted again after ten minutes', async () => {
    const { app, discord, channel } = await aGuild();
    const { post } = app.ctx;
    app.ctx.post = async () => ({ ok: false, error: 'stopped' });
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    app.ctx.post = post;
    await runAt(app, 599);
    expect(discord.calls).toEqual([]);
    await runAt(app, 600);
    expect(texts(discord)).toHaveLength(1);
    expect((await shownChannel(app, channel)).last_error).toBeNull();
  });

  it('waits for the writes of other servers', async () => {
    const { app, discord, channel } = await aGuild();
    const { snapshot } = app.ctx.readModel;
    app.ctx.readModel.snapshot = async (room) => ({ ...(await snapshot(room)), clock: 0 });
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    expect(texts(discord)).toEqual([]);
    app.ctx.readModel.snapshot = snapshot;
    await runAt(app, 1);
    expect(texts(discord)).toHaveLength(1);
  });

  it('of a full board with hostile names is taken by Discord', async () => {
    const { app, discord, channel } = await aGuild();
    await changeUnheard(app, (tx) =>
      tx.updateTable('respawns').set({ name: '**@everyone** [x](y) ```||' }).execute(),
    );
    await keep(app, channel).expect(200);
    await runAt(app, 0);
    expect(texts(discord)).toHaveLength(1);
  });
});
