import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import { aClaim, aKey, asMember, change, submitted } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import type { Member } from '../http/caller.ts';
import { type CommittedChanges, createKnownMembers } from './authenticate.ts';
import { memberOfKey } from './sessions.ts';

const ban = (app: TestApp, character_name: string) =>
  app.api.post('/admin/ban-character').set(app.admin).send({ character_name }).expect(200);

/** A separate server's cache of members, and how often it queried one. */
function rememberMembers({ ctx }: TestApp) {
  let lookUps = 0;
  const known = createKnownMembers(ctx.bus, (...args) => {
    lookUps += 1;
    return memberOfKey(...args);
  });
  return {
    known,
    find: (key: string) => known.find(ctx.db, key),
    /** How often the database is queried for a key's holder. */
    lookUpsOf: async (key: string): Promise<number> => {
      const before = lookUps;
      await known.find(ctx.db, key);
      return lookUps - before;
    },
  };
}

describe.each(databases)('who a key belongs to, on %s', (dialect) => {
  it('is queried once, also while others claim', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const other = await aKey(app);
    const { lookUpsOf } = rememberMembers(app);
    expect(await lookUpsOf(key.key_value)).toBe(1);
    await submitted(app, other, aClaim(other));
    expect(await lookUpsOf(` ${key.key_value.toLowerCase()} `)).toBe(0);
  });

  it('is cached once per key, regardless of how it is typed and of other guesses', async () => {
    const app = await createTestApp(dialect);
    const { key_value } = await aKey(app);
    const { known, find } = rememberMembers(app);
    for (const typed of [key_value, ` ${key_value} `, key_value.toLowerCase()]) await find(typed);
    for (const wrong of ['GUESS-1', 'GUESS-2', 'x'.repeat(10_000)])
      await expect(find(wrong)).rejects.toThrow('session.invalidKey');
    expect(known.size()).toBe(1);
  });

  it("is looked up again after a change to this key, this character's ban, or a reset", async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const { lookUpsOf, find } = rememberMembers(app);
    const writes: (() => Promise<unknown>)[] = [
      async () => {
        await ban(app, key.character_name);
        await app.api
          .post('/admin/unban-character')
          .set(app.admin)
          .send({ character_name: key.character_name })
          .expect(200);
      },
      () => change(app, async ({ changes }) => changes.reset()),
      () =>
        app.api
          .put(`/admin/access-keys/${key.id}/member-type`)
          .set(app.admin)
          .send({ memberType: 'elite' })
          .expect(200),
    ];
    for (const write of writes) {
      await lookUpsOf(key.key_value);
      expect(await lookUpsOf(key.key_value)).toBe(0);
      await write();
      expect(await lookUpsOf(key.key_value)).toBe(1);
    }
    expect(await find(key.key_value)).toMatchObject({ member_type: 'elite' });
  });

  it('is not queried again after changes of others: their codes, keys and bans', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app, 'Riley Ashdown');
    const other = await aKey(app);
    const { lookUpsOf } = rememberMembers(app);
    await lookUpsOf(key.key_value);
    await app.api
      .post('/generate-verification-code')
      .send({ character_name: 'Riley Ashdown' })
      .expect(201);
    await app.api
      .post('/generate-verification-code')
      .send({ character_name: 'Sable Quinn' })
      .expect(201);
    await app.api.put(`/admin/access-keys/${other.id}/revoke`).set(app.admin).expect(200);
    await ban(app, 'Sable Quinn');
    await aKey(app);
    expect(await lookUpsOf(key.key_value)).toBe(0);
  });

  it('is not remembered where the key ended while it was looked up', async () => {
    const { ctx } = await createTestApp(dialect);
    const listeners: Parameters<CommittedChanges['listen']>[0][] = [];
    const member: Member = {
      role: 'member',
      access_key_id: 7,
      character_name: 'Riley',
      character_key: 'riley',
      member_type: 'member',
    };
    const { promise, resolve } = Promise.withResolvers<Member>();
    const known = createKnownMembers(
      { listen: (listener) => listeners.push(listener), onNewHistory: () => {} },
      () => promise,
    );
    const found = known.find(ctx.db, 'key');
    for (const listener of listeners)
      listener({ changes: [{ change: { op: 'remove', kind: 'access_key', id: 7 } }] });
    resolve(member);
    expect(await found).toEqual(member);
    expect(known.size()).toBe(0);
    await known.find(ctx.db, 'key');
    expect(known.size()).toBe(1);
  });

  it('is rejected at once when it is revoked, banned or deleted', async () => {
    const app = await createTestApp(dialect);
    const ends: [(key: AccessKey) => Promise<unknown>, number][] = [
      [({ id }) => app.api.put(`/admin/access-keys/${id}/revoke`).set(app.admin).expect(200), 403],
      [({ id }) => app.api.delete(`/admin/access-keys/${id}`).set(app.admin).expect(200), 401],
      [({ character_name }) => ban(app, character_name), 403],
    ];
    for (const [end, status] of ends) {
      const key = await aKey(app);
      await app.api.get('/respawns').set(asMember(key)).expect(200);
      await end(key);
      await app.api.get('/respawns').set(asMember(key)).expect(status);
    }
  });
});
