import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { aClaim, aKey, asMember, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { timeOf, waiting } from '../push/test/due.ts';
import { aPushService } from '../push/test/push-service.ts';

const at = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();

async function aGuild(dialect: (typeof databases)[number]) {
  const app = await createTestApp(dialect, { env: { ALLOW_PRIVATE_DESTINATIONS: '1' } });
  const service = await aPushService();
  const ann = await aKey(app, 'Ann');
  return { app, service, ann, comes: timeOf(app), browser: await service.browser(app, ann) };
}

async function undo(app: TestApp, action: string): Promise<void> {
  const { id } = await app.ctx.db
    .selectFrom('activity')
    .select('id')
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await app.api.post(`/admin/activity-log/${id}/undo`).set(app.admin).expect(200);
}

const prefer = (app: TestApp, key: AccessKey, fields: object) =>
  app.api.put('/push/preferences').set(asMember(key)).send(fields).expect(200);

describe.each(databases)('changes that an admin undoes, on %s,', (dialect) => {
  it('is not sent if nothing of it was sent yet, one by one or at once', async () => {
    const { app, ann, browser, comes } = await aGuild(dialect);
    const dates = Array.from({ length: 30 }, (_, n) =>
      new Date(Date.parse(NOW) + n * 86_400_000).toISOString().slice(0, 10),
    );
    const [claim] = await submitted(
      app,
      ann,
      ...dates.map((date) => aClaim(ann, { date, hour_start: 16, hour_end: 18 })),
    );
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    expect(await waiting(app)).toHaveLength(1);
    await undo(app, 'claim_deleted');
    expect(await waiting(app)).toEqual([]);
    const move = (hour_start: number) =>
      app.api
        .put(`/claims/admin/${claim?.id}`)
        .set(app.admin)
        .send({ hour_start, hour_end: hour_start + 2 })
        .expect(200);
    await move(17);
    await move(16);
    expect(await waiting(app)).toEqual([]);
    await app.api.delete('/claims/admin/respawn/1').set(app.admin).expect(200);
    await undo(app, 'claims_cleared');
    expect(await waiting(app)).toEqual([]);
    await comes(at(1));
    expect(browser.received).toEqual([]);
  });

  it('is sent as undone if it was sent', async () => {
    const { app, ann, browser, comes } = await aGuild(dialect);
    const [claim] = await submitted(app, ann, aClaim(ann, { hour_start: 16, hour_end: 18 }));
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    await comes(at(1));
    await browser.gets(1);
    await undo(app, 'claim_deleted');
    await comes(at(2));
    expect((await browser.gets(2))[1]).toMatchObject({
      title: 'An admin restored your claim',
      body: expect.stringContaining('SS+16 to SS+18'),
      url: `/?date=2026-11-21&claim=${claim?.id}`,
    });
  });

  it('and moved twice is described from where its member knows it', async () => {
    const { app, ann, browser, comes } = await aGuild(dialect);
    const [claim] = await submitted(app, ann, aClaim(ann, { hour_start: 16, hour_end: 18 }));
    for (const hour_start of [17, 18]) {
      const hours = { hour_start, hour_end: hour_start + 2 };
      await app.api.put(`/claims/admin/${claim?.id}`).set(app.admin).send(hours).expect(200);
    }
    await comes(at(1));
    expect((await browser.gets(1))[0]?.body).toMatch(
      /SS\+18 to SS\+20\)\. Before: .+, SS\+16 to SS\+18\.$/,
    );
  });
});

describe.each(databases)('pending messages of a browser on %s', (dialect) => {
  it('keeps no admin from changing claims where another version stored it', async () => {
    const { app, ann } = await aGuild(dialect);
    const [claim] = await submitted(app, ann, aClaim(ann, { hour_start: 16, hour_end: 18 }));
    const move = (hour_start: number) =>
      app.api.put(`/claims/admin/${claim?.id}`).set(app.admin).send({ hour_start, hour_end: 20 });
    await move(17).expect(200);
    await app.ctx.writes.transaction((tx) =>
      tx
        .updateTable('jobs')
        .set({ payload: '{"kind":"claims_changed"}' })
        .where('kind', '=', 'push.send')
        .execute(),
    );
    await move(18).expect(200);
    expect((await waiting(app)).map(({ payload }) => JSON.parse(payload).kind)).toEqual([
      'claim_changed',
    ]);
  });

  it('waits no longer than its member’s quiet hours, which may be shortened or switched off', async () => {
    const { app, ann, browser, comes } = await aGuild(dialect);
    await prefer(app, ann, { time_zone: 'UTC', quiet_from: '17:00', quiet_until: '23:00' });
    const [claim] = await submitted(app, ann, aClaim(ann, { hour_start: 16, hour_end: 18 }));
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    const due = async () => (await waiting(app)).map(({ due_at }) => due_at);
    expect(await due()).toEqual(['2026-11-21T23:00:03.000Z']);
    await prefer(app, ann, { quiet_until: '22:00' });
    expect(await due()).toEqual(['2026-11-21T22:00:00.000Z']);
    // Longer ones are heeded when it would be sent.
    await prefer(app, ann, { quiet_until: '22:30' });
    expect(await due()).toEqual(['2026-11-21T22:00:00.000Z']);
    await prefer(app, ann, { quiet_until: '20:00' });
    expect(await due()).toEqual(['2026-11-21T20:00:00.000Z']);
    await comes(at(60));
    expect(browser.received).toEqual([]);
    await prefer(app, ann, { quiet_from: null, quiet_until: null });
    await comes(at(60));
    await browser.gets(1);
    expect(await due()).toEqual([]);
  });
});
