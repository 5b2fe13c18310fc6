import { describe, expect, it } from 'vitest';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import { deleteClaim } from '../../board/claims/end-claims.ts';
import {
  aClaim,
  aDestination,
  aKey,
  anActiveEvent,
  aRespawn,
  asMember,
  changeUnheard,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { countingStatements } from '../../dev/test/counting-statements.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { features } from '../../features.ts';
import { subscribed } from '../push/test/browser.ts';
import { waiting } from '../push/test/due.ts';
import type { Notice } from './notice.ts';

const storedNotices = async (app: TestApp): Promise<Notice[]> =>
  (await waiting(app)).map(({ payload }) => JSON.parse(payload));

describe.each(databases)('an admin’s changes to claims, on %s,', (dialect) => {
  it('creates a notice for each affected member, by every kind of write', async () => {
    const app = await createTestApp(dialect);
    const changes: [string, (claim: ClaimRow) => PromiseLike<unknown>][] = [
      [
        'moved',
        ({ id }) =>
          app.api
            .put(`/claims/admin/${id}`)
            .set(app.admin)
            .send({ hour_start: 17, hour_end: 19 })
            .expect(200),
      ],
      [
        'moved',
        ({ id }) =>
          app.api
            .put(`/claims/admin/${id}/respawn`)
            .set(app.admin)
            .send({ respawn_id: 40 })
            .expect(200),
      ],
      ['removed', ({ id }) => app.api.delete(`/admin/claims/${id}`).set(app.admin).expect(200)],
      [
        'removed',
        ({ respawn_id }) =>
          app.api.delete(`/claims/admin/respawn/${respawn_id}`).set(app.admin).expect(200),
      ],
      [
        'removed',
        ({ respawn_id }) =>
          app.api.delete(`/admin/respawns/${respawn_id}`).set(app.admin).expect(200),
      ],
    ];
    await subscribed(app, await aKey(app));
    for (const [change, does] of changes) {
      const key = await aKey(app);
      await subscribed(app, key);
      const { id: respawn_id } = await aRespawn(app);
      const [claim] = await submitted(
        app,
        key,
        aClaim(key, { respawn_id, hour_start: 16, hour_end: 18 }),
      );
      if (!claim) throw new Error('no claim');
      await does(claim);
      const notices = (await storedNotices(app)).filter(
        ({ character_name }) => character_name === key.character_name,
      );
      expect(notices).toMatchObject([
        { kind: 'claim_changed', count: 1, claims: [{ claim_id: claim.id, change }] },
      ]);
    }
    expect(await waiting(app)).toHaveLength(changes.length);
  });

  it('creates one notice of bulk work per affected member, with or without a channel', async () => {
    for (const hasChannel of [false, true]) {
      const app = await createTestApp(dialect);
      if (hasChannel) await aDestination(app, { events: ['claims.changed'] });
      const event = await anActiveEvent(app);
      const ann = await aKey(app, 'Ann');
      const bob = await aKey(app, 'Bob');
      for (const key of [ann, bob]) await subscribed(app, key);
      const dates = ['2026-11-21', '2026-11-22', '2026-11-23'];
      await submitted(app, ann, ...dates.map((date) => aClaim(ann, { date })));
      await submitted(app, bob, aClaim(bob, { respawn_id: 2 }));
      const byName = async () =>
        (await storedNotices(app))
          .map((notices) => [notices.character_name, 'count' in notices && notices.count])
          .sort();
      const copy = { name: 'Next', start_time: '2026-11-29T10:00', claims: 'all' };
      const { body } = await app.api
        .post(`/admin/events/${event.id}/copy`)
        .set(app.admin)
        .send(copy)
        .expect(200);
      expect(await byName()).toEqual([
        ['Ann', 3],
        ['Bob', 1],
      ]);
      expect(
        (await storedNotices(app)).flatMap((notices) =>
          'claims' in notices ? notices.claims.map(({ change }) => change) : [],
        ),
      ).toEqual(Array.from({ length: 4 }, () => 'added'));
      // Undone before the notice was sent.
      await app.api.delete(`/events/${body.data.event.id}`).set(app.admin).expect(200);
      expect(await byName()).toEqual([]);
      await app.api.delete(`/events/${event.id}`).set(app.admin).expect(200);
      expect(await byName()).toEqual([
        ['Ann', 3],
        ['Bob', 1],
      ]);
      const stored = await app.ctx.db.selectFrom('outbox').select('type').execute();
      expect(stored.map(({ type }) => type)).toEqual(
        hasChannel ? Array.from({ length: 3 }, () => 'claims.changed') : [],
      );
    }
  });

  it('costs a write nothing while no browser is subscribed', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const deletion = async (): Promise<number> => {
      const [claim] = await submitted(app, key, aClaim(key));
      const { ctx, count } = countingStatements(app.ctx);
      await deleteClaim(
        ctx,
        { role: 'admin', admin_id: 1, username: 'admin', admin_role: 'owner', token_hash: '' },
        claim?.id ?? 0,
      );
      return count();
    };
    await deletion();
    const alone = await deletion();
    const { endpoint } = await subscribed(app, await aKey(app, 'Other'));
    // Whether its holder has a browser or is linked to Discord.
    expect(await deletion()).toBe(alone + 3);
    const other = await app.ctx.db
      .selectFrom('access_keys')
      .select('key_value')
      .where('character_key', '=', 'other')
      .executeTakeFirstOrThrow();
    await app.api.delete('/push/subscriptions').set(asMember(other)).send({ endpoint }).expect(200);
    expect(await deletion()).toBe(alone);
  });

  it('is noted when the event moves that their claims cover all of', async () => {
    const app = await createTestApp(dialect);
    const event = await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-11-20T10:00',
      end_time: '2026-11-23T10:00',
    });
    const ann = await aKey(app, 'Ann');
    const bob = await aKey(app, 'Bob');
    await subscribed(app, ann);
    for (const { character_name } of [ann, bob]) {
      const respawn_id = character_name === 'Ann' ? 1 : 2;
      await submitAsAdmin(app, 'member', {
        respawn_id,
        character_name,
        hour_start: 11,
        hour_end: 13,
      }).expect(201);
    }
    const edit = (fields: object) =>
      app.api.put(`/events/${event.id}`).set(app.admin).send(fields).expect(200);
    await edit({ name: 'Other name' });
    expect(await storedNotices(app)).toEqual([]);
    await edit({ end_time: '2026-11-25T10:00' });
    expect(await storedNotices(app)).toMatchObject([
      {
        kind: 'claim_changed',
        character_name: 'Ann',
        claims: [{ change: 'eventMoved', period: { first: '2026-11-20', last: '2026-11-25' } }],
      },
    ]);
  });
});

it.each(databases)(
  'a server without media on %s moves an event that others notify of',
  async (dialect) => {
    const app = await createTestApp(dialect, {
      context: { features: features.filter((feature) => !('media' in feature)) },
    });
    const event = await anActiveEvent(app, { type: 'single_claim' });
    await changeUnheard(app, (tx) =>
      tx.updateTable('clock').set({ subscribed_types: 'event.moved' }).execute(),
    );
    const end_time = `${addDays(event.end_time.slice(0, 10), 1)}${event.end_time.slice(10)}`;
    await app.api.put(`/events/${event.id}`).set(app.admin).send({ end_time }).expect(200);
  },
);
