import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { nameKey } from '../../../shared/rules/names.ts';
import type { NeedsLook } from '../../../shared/schemas/needs-look.ts';
import { latest, undo } from '../../activity/test/undo.ts';
import { admin } from '../../activity/test/write.ts';
import { aName, changeUnheard } from '../../dev/test/builders.ts';
import { databases, freshDatabase } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import {
  errorAnswer,
  GARBAGE,
  HANG_UP,
  json,
  MAINTENANCE,
  RATE_LIMITED,
  serveGameData,
} from '../verification/test/game-data.ts';
import { lookAtFacts } from './look.ts';
import type { CharacterFacts } from './needs.ts';
import { aMember, type VerifiedMember } from './test/need.ts';

const data = await serveGameData();
afterAll(data.close);
afterEach(() => {
  data.failWith(null);
  data.requests.length = 0;
});

const GUILD = 'Stalkers';
const HOUR_MS = 3_600_000;
const later = (hours: number): string => new Date(Date.parse(NOW) + hours * HOUR_MS).toISOString();

const configure = (app: TestApp, change: object) =>
  admin(app, 'put /admin/config', change).expect(200);

async function anApp(dialect: (typeof databases)[number], settings: object = {}): Promise<TestApp> {
  const app = await createTestApp(dialect, {
    env: { CHARACTER_API_URL: data.url, GUILD_NAME: GUILD },
  });
  await configure(app, { facts_enabled: 1, ...settings });
  return app;
}

/** Minutes in which each of a few characters is looked at that is due, from so many hours after the start on. */
async function look(app: TestApp, hours: number, minutes = 1): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    app.setNow(later(hours + minute / 60));
    await app.beat();
    await app.runDue();
    await noneRuns(app);
  }
}

const noneRuns = ({ ctx }: TestApp): Promise<void> =>
  expect
    .poll(
      () => ctx.db.selectFrom('jobs').select('id').where('kind', '=', lookAtFacts.kind).execute(),
      { timeout: 30_000, interval: 20 },
    )
    .toEqual([]);

async function needs(app: TestApp): Promise<NeedsLook[]> {
  const { body } = await app.api.get('/admin/needs-look').set(app.admin).expect(200);
  return body.data;
}
const kinds = async (app: TestApp): Promise<string[]> => (await needs(app)).map(({ kind }) => kind);

const factsOf = (app: TestApp, { name }: VerifiedMember): Promise<CharacterFacts | undefined> =>
  app.ctx.db
    .selectFrom('character_facts')
    .selectAll()
    .where('character_key', '=', nameKey(name))
    .executeTakeFirst();

const login = (app: TestApp, { key_value }: VerifiedMember) =>
  app.api.post('/login').send({ accessKey: key_value });
const code = async (app: TestApp, member: VerifiedMember): Promise<string | undefined> =>
  (await login(app, member)).body.code;

const inGuild = { guild: { name: GUILD, rank: 'Member' } };

async function aStayer(app: TestApp): Promise<VerifiedMember> {
  const member = await aMember(app);
  data.show({ name: member.name, ...inGuild });
  return member;
}

async function aLeaver(app: TestApp): Promise<VerifiedMember> {
  const member = await aMember(app);
  data.show({ name: member.name, guild: { name: 'Others', rank: 'Leader' } });
  return member;
}

describe.each(databases)('the daily look on %s', (dialect) => {
  it('reads each verified character once a day, one a minute, and stores its facts', async () => {
    const app = await anApp(dialect);
    const one = await aStayer(app);
    const two = await aStayer(app);
    await admin(app, 'post /admin/access-keys', { characterName: aName() }).expect(201);
    await look(app, 0);
    expect(data.requests).toEqual([one.name]);
    await look(app, 0.1, 3);
    expect(data.requests).toEqual([one.name, two.name]);
    expect(await factsOf(app, one)).toMatchObject({
      read_at: NOW,
      name: one.name,
      former_names: '[]',
      guild: GUILD,
      guild_rank: 'Member',
      world: 'Antica',
      traded: 0,
      deletion_date: null,
      due_at: later(24),
    });
    await look(app, 23.9);
    expect(data.requests).toHaveLength(2);
    await look(app, 24, 10);
    expect(data.requests).toEqual([one.name, two.name, one.name, two.name]);
    expect(await needs(app)).toEqual([]);
  });

  it('is off until an admin turns it on, and cannot be where characters are checked by hand', async () => {
    const app = await createTestApp(dialect, { env: { CHARACTER_API_URL: data.url } });
    await aLeaver(app);
    await look(app, 0, 2);
    expect(data.requests).toEqual([]);
    const manual = await createTestApp(dialect, { env: { CHARACTER_CHECK: 'manual' } });
    expectRefusal(
      await admin(manual, 'put /admin/config', { facts_enabled: 1 }),
      409,
      'facts.manual',
      "Claimboard can't check characters daily: this server checks characters manually (CHARACTER_CHECK).",
    );
  });

  it('leaves out revoked and banned characters', async () => {
    const app = await anApp(dialect);
    const revoked = await aLeaver(app);
    await admin(app, `put /admin/access-keys/${revoked.id}/revoke`).expect(200);
    const banned = await aLeaver(app);
    await admin(app, 'post /admin/ban-character', { character_name: banned.name }).expect(200);
    await look(app, 0, 3);
    expect(data.requests).toEqual([]);
  });

  it('comes first at a sign-in after a week, and after a clock that was ahead', async () => {
    const app = await anApp(dialect);
    const one = await aStayer(app);
    const two = await aStayer(app);
    await look(app, 0, 2);
    await changeUnheard(app, (tx) =>
      tx
        .updateTable('character_facts')
        .set({ due_at: later(190) })
        .execute(),
    );
    app.setNow(later(170));
    data.requests.length = 0;
    await login(app, two).expect(200);
    await look(app, 170);
    expect(data.requests).toEqual([two.name]);
    await changeUnheard(app, (tx) =>
      tx
        .updateTable('character_facts')
        .set({ due_at: later(9_000) })
        .execute(),
    );
    await look(app, 171, 2);
    expect(data.requests).toEqual([two.name, one.name, two.name]);
  });

  it.each([
    ['away', HANG_UP],
    ['in maintenance', MAINTENANCE],
    ['throttling', RATE_LIMITED],
    ['wrong', GARBAGE],
    ['unknown', json(502, errorAnswer(502, 10_003, 'bad name'))],
    [
      'empty',
      json(200, { character: { character: {} }, information: { status: { http_code: 200 } } }),
    ],
  ])('changes nothing while the source is %s', async (_, reply) => {
    const app = await anApp(dialect, { leavers_lose_access: 1 });
    const member = await aLeaver(app);
    await look(app, 0);
    const before = await factsOf(app, member);
    data.failWith(reply);
    for (const hours of [24, 48, 72]) await look(app, hours);
    expect(await factsOf(app, member)).toEqual({ ...before, due_at: expect.any(String) });
    expect(await code(app, member)).toBeUndefined();
    expect(await kinds(app)).toEqual(['left']);
  });

  it.each([
    ['no guild told', { guild: undefined }],
    ['a strange guild', { guild: 'none' as never }],
    ['no world', { world: '' }],
    ['a strange trade', { traded: 'yes' as never }],
  ])('changes nothing after a strange answer: %s', async (_, odd) => {
    const app = await anApp(dialect, { leavers_lose_access: 1 });
    const member = await aStayer(app);
    await look(app, 0);
    const { name } = member;
    const { guild, ...rest } = { guild: {}, world: 'Antica', name, ...odd };
    const character = guild === undefined ? rest : { guild, ...rest };
    data.failFor(
      name,
      json(200, { character: { character }, information: { status: { http_code: 200 } } }),
    );
    for (const hours of [24, 48, 72]) await look(app, hours);
    expect(await factsOf(app, member)).toMatchObject({ guild: GUILD, read_at: NOW });
    expect([await kinds(app), await code(app, member)]).toEqual([[], undefined]);
  });

  it('of another character that the source answers with changes nothing', async () => {
    const app = await anApp(dialect);
    const member = await aStayer(app);
    await look(app, 0);
    data.show({ name: 'Somebody Else', former_name: member.name });
    await look(app, 24);
    expect(await factsOf(app, member)).toMatchObject({ name: member.name });
    data.show({
      name: 'Somebody Else',
      former_name: member.name,
      former_names: [member.name],
      ...inGuild,
    });
    await look(app, 48);
    expect(await needs(app)).toEqual([]);
    const { body } = await login(app, member).expect(200);
    expect(body.data.user.characterName).toBe('Somebody Else');
  });
});

describe.each(databases)('who left, was traded or deleted on %s', (dialect) => {
  it('is listed, and keeps access while the setting is off', async () => {
    const app = await anApp(dialect);
    const member = await aLeaver(app);
    const { id, name } = member;
    for (const hours of [0, 24, 48]) await look(app, hours);
    expect(await needs(app)).toEqual([
      {
        id,
        character_name: name,
        kind: 'left',
        fact: 'Others',
        new_type: null,
        read_at: later(48),
      },
    ]);
    expect(await code(app, member)).toBeUndefined();
    await admin(app, `put /admin/access-keys/${id}/revoke`).expect(200);
    expect(await needs(app)).toEqual([]);
  });

  it('kept, is listed again only when the facts change', async () => {
    const app = await anApp(dialect, { leavers_lose_access: 1 });
    const member = await aLeaver(app);
    await look(app, 0);
    const keep = () => admin(app, `post /admin/needs-look/${member.id}/keep`, { kind: 'left' });
    await keep().expect(200);
    expect((await latest(app, 'facts_kept')).details).toEqual({
      access_key_id: member.id,
      character_name: member.name,
      kept: 'left',
    });
    expectRefusal(
      await keep(),
      409,
      'facts.changed',
      "The game's data changed meanwhile. The list has been updated.",
    );
    for (const hours of [24, 48, 72]) await look(app, hours);
    expect([await kinds(app), await code(app, member)]).toEqual([[], undefined]);
    data.show({ name: member.name });
    await look(app, 96);
    expect(await needs(app)).toMatchObject([{ kind: 'left', fact: null }]);
    await keep().expect(200);
    data.show({ name: member.name, ...inGuild });
    await look(app, 120);
    data.show({ name: member.name });
    await look(app, 144);
    expect(await kinds(app)).toEqual(['left']);
  });

  it('with the setting, loses access after two looks 20 hours apart, is told why, and is kept once enabled', async () => {
    const app = await anApp(dialect, { leavers_lose_access: 1 });
    const member = await aLeaver(app);
    await look(app, 0);
    await changeUnheard(app, (tx) =>
      tx
        .updateTable('character_facts')
        .set({ due_at: later(19) })
        .execute(),
    );
    await look(app, 19);
    expect(await code(app, member)).toBeUndefined();
    await look(app, 43);
    expectRefusal(
      await login(app, member),
      403,
      'session.leftGuild',
      "Your access ended because your character is no longer in the guild. Please contact an admin if you're back.",
    );
    const entry = await latest(app, 'access_ended');
    expect(entry).toMatchObject({
      actor_kind: 'server',
      details: { access_key_id: member.id, character_name: member.name, because: 'left' },
    });
    await undo(app, entry.id).expect(200);
    for (const hours of [67, 91, 115]) await look(app, hours);
    expect([await kinds(app), await code(app, member)]).toEqual([[], undefined]);
    const [key] = (await app.api.get('/admin/access-keys').set(app.admin).expect(200)).body.data;
    expect(key).toMatchObject({ is_revoked: 0, revoked_because: null });
  });

  it('enabled by an admin, is kept as with an undo', async () => {
    const app = await anApp(dialect, { leavers_lose_access: 1 });
    const member = await aLeaver(app);
    for (const hours of [0, 24]) await look(app, hours);
    expect(await code(app, member)).toBe('session.leftGuild');
    await admin(app, `put /admin/access-keys/${member.id}/enable`).expect(200);
    for (const hours of [48, 72]) await look(app, hours);
    expect([await kinds(app), await code(app, member)]).toEqual([[], undefined]);
    await admin(app, `put /admin/access-keys/${member.id}/revoke`).expect(200);
    expect(await code(app, member)).toBe('session.keyRevoked');
  });

  it('who came back in between keeps access', async () => {
    const app = await anApp(dialect, { leavers_lose_access: 1 });
    const member = await aLeaver(app);
    await look(app, 0);
    data.show({ name: member.name, ...inGuild });
    await look(app, 24);
    data.show({ name: member.name });
    await look(app, 48);
    expect(await code(app, member)).toBeUndefined();
    await look(app, 72);
    expect(await code(app, member)).toBe('session.leftGuild');
  });

  it('only looks after the setting was turned on, and of the same guild, count', async () => {
    const app = await anApp(dialect);
    const member = await aLeaver(app);
    for (const hours of [0, 24]) await look(app, hours);
    await configure(app, { leavers_lose_access: 1 });
    await look(app, 48);
    await configure(app, { leavers_lose_access: 0 });
    await configure(app, { leavers_lose_access: 1 });
    await look(app, 72);
    await configure(app, { guild_name: 'Renamed Guild' });
    await look(app, 96);
    expect(await code(app, member)).toBeUndefined();
    await look(app, 120);
    expect(await code(app, member)).toBe('session.leftGuild');
  });

  it('a look of before the key was made does not count', async () => {
    const app = await anApp(dialect, { leavers_lose_access: 1 });
    const former = await aLeaver(app);
    await look(app, 0);
    app.setNow(later(1));
    await admin(app, `delete /admin/access-keys/${former.id}`).expect(200);
    const member = await aMember(app, former.name);
    await look(app, 25);
    expect(await code(app, member)).toBeUndefined();
    await look(app, 49);
    expect(await code(app, member)).toBe('session.leftGuild');
  });

  it('nobody loses access when the whole guild seems to be gone', async () => {
    const app = await anApp(dialect, { leavers_lose_access: 1, guild_name: 'Mispelt' });
    const members: VerifiedMember[] = [];
    for (let nth = 0; nth < 5; nth += 1) members.push(await aStayer(app));
    // Whose last look is of before.
    const former = await aMember(app);
    data.show({ name: former.name, guild: { name: 'Mispelt', rank: 'Member' } });
    await look(app, 0, 6);
    await admin(app, `put /admin/access-keys/${former.id}/revoke`).expect(200);
    for (const hours of [24.5, 49]) await look(app, hours, 5);
    expect(await kinds(app)).toHaveLength(5);
    for (const member of members) expect(await code(app, member)).toBeUndefined();
  });

  it('of a traded character, ends access after two looks whatever the setting', async () => {
    const app = await anApp(dialect);
    const member = await aStayer(app);
    await look(app, 0);
    data.show({ name: member.name, ...inGuild, traded: true });
    await look(app, 24);
    expect([await kinds(app), await code(app, member)]).toEqual([['traded'], undefined]);
    await look(app, 48);
    expect(await code(app, member)).toBe('session.characterTraded');
    expect((await latest(app, 'access_ended')).details).toMatchObject({ because: 'traded' });
  });

  it.each([false, true])(
    "leaves the buyer's key, which is newer than the trade (looked at before: %s)",
    async (isKnown) => {
      const app = await anApp(dialect);
      const name = isKnown ? 'Known Seller' : 'Unknown Seller';
      if (isKnown) {
        await aMember(app, name);
        data.show({ name, ...inGuild });
        await look(app, 0);
        app.setNow(later(10));
      }
      const { code: text, verification_token } = (
        await app.api.post('/generate-verification-code').send({ character_name: name })
      ).body.data;
      data.show({ name, ...inGuild, traded: true, comment: text });
      const { body } = await app.api
        .post('/check-verification')
        .send({ characterName: name, verification_token })
        .expect(200);
      for (const hours of [24, 48, 72]) await look(app, hours);
      expect(await kinds(app)).toEqual([]);
      await app.api.post('/login').send({ accessKey: body.data.accessKey }).expect(200);
    },
  );

  it('of a traded character whose access ended: the buyer verifies and gets a key of their own', async () => {
    const app = await anApp(dialect);
    const name = 'Sold Knight';
    const seller = await aMember(app, name);
    data.show({ name, ...inGuild, traded: true });
    for (const hours of [1, 25]) await look(app, hours);
    expect(await code(app, seller)).toBe('session.characterTraded');
    const { code: comment, verification_token } = (
      await app.api.post('/generate-verification-code').send({ character_name: name })
    ).body.data;
    data.show({ name, ...inGuild, traded: true, comment });
    app.setNow(later(26));
    const { body } = await app.api
      .post('/check-verification')
      .send({ characterName: name, verification_token })
      .expect(200);
    expect(body.data.accessKey).not.toBe(seller.key_value);
    await app.api.post('/login').send({ accessKey: body.data.accessKey }).expect(200);
  });

  it('of a traded character, only looks after the daily check was turned on again count', async () => {
    const app = await anApp(dialect);
    const member = await aMember(app);
    data.show({ name: member.name, ...inGuild, traded: true });
    await look(app, 1);
    await configure(app, { facts_enabled: 0 });
    await configure(app, { facts_enabled: 1 });
    await look(app, 48);
    expect(await code(app, member)).toBeUndefined();
    await look(app, 72);
    expect(await code(app, member)).toBe('session.characterTraded');
  });

  it('is listed as deleted when missing at three looks on three days, or past the date', async () => {
    const app = await anApp(dialect, { leavers_lose_access: 1 });
    const missing = await aMember(app);
    await look(app, 0);
    await changeUnheard(app, (tx) =>
      tx
        .updateTable('character_facts')
        .set({ due_at: later(2) })
        .execute(),
    );
    for (const hours of [2, 26]) await look(app, hours);
    expect(await kinds(app)).toEqual([]);
    await look(app, 50);
    expect([await kinds(app), await code(app, missing)]).toEqual([['deleted'], undefined]);
    await look(app, 74);
    expect(await code(app, missing)).toBe('session.characterDeleted');
    const doomed = await aMember(app);
    data.show({ name: doomed.name, ...inGuild, deletion_date: later(100) });
    await look(app, 75);
    expect(await kinds(app)).toEqual([]);
    app.setNow(later(101));
    expect(await kinds(app)).toEqual(['deleted']);
    data.show({ name: doomed.name, ...inGuild });
    await look(app, 102);
    expect(await kinds(app)).toEqual([]);
  });
});

describe.each(databases)('a new guild rank on %s', (dialect) => {
  async function ranked(settings: object = {}) {
    const app = await anApp(dialect, settings);
    await admin(app, 'put /admin/member-types/elite', { guild_ranks: ['Veteran'] }).expect(200);
    const member = await aMember(app);
    const promote = (rank: string) =>
      data.show({ name: member.name, guild: { name: GUILD, rank } });
    promote('Member');
    const typeNow = async (): Promise<string> =>
      (await login(app, member)).body.data.user.memberType;
    return { app, member, promote, typeNow };
  }

  it('is listed with the type that it stands for; Change type applies it and Keep does not', async () => {
    const { app, member, promote, typeNow } = await ranked();
    await look(app, 0);
    expect(await kinds(app)).toEqual([]);
    promote('Veteran');
    await look(app, 24);
    expect(await needs(app)).toMatchObject([{ kind: 'rank', fact: 'Veteran', new_type: 'elite' }]);
    await admin(app, `post /admin/needs-look/${member.id}/change-type`).expect(200);
    expect([await typeNow(), await kinds(app)]).toEqual(['elite', []]);
    promote('Member');
    await look(app, 48);
    await admin(app, `post /admin/needs-look/${member.id}/keep`, { kind: 'rank' }).expect(200);
    await look(app, 72);
    expect([await typeNow(), await kinds(app)]).toEqual(['elite', []]);
  });

  it('is followed with the setting, and no more once an admin sets the type', async () => {
    const { app, member, promote, typeNow } = await ranked({ ranks_follow: 1 });
    promote('Veteran');
    await look(app, 0);
    expect(await typeNow()).toBe('elite');
    expect(await latest(app, 'access_key_updated')).toMatchObject({
      actor_kind: 'server',
      details: { changed: { member_type: { from: 'member', to: 'elite' } } },
    });
    const byHand = { memberType: 'vice' };
    await admin(app, `put /admin/access-keys/${member.id}/member-type`, byHand).expect(200);
    await look(app, 24);
    expect([await typeNow(), await kinds(app)]).toEqual(['vice', []]);
    promote('Member');
    await look(app, 48);
    expect([await typeNow(), await kinds(app)]).toEqual(['vice', ['rank']]);
  });

  it('does not count without ranks in the types, or outside the guild', async () => {
    const { app, member, promote } = await ranked({ ranks_follow: 1 });
    await admin(app, 'put /admin/member-types/elite', { guild_ranks: [] }).expect(200);
    promote('Veteran');
    await look(app, 0);
    expect(await kinds(app)).toEqual([]);
    await admin(app, 'put /admin/member-types/elite', { guild_ranks: ['Veteran'] }).expect(200);
    data.show({ name: member.name, guild: { name: 'Others', rank: 'Veteran' } });
    await look(app, 24);
    expect(await kinds(app)).toEqual(['left']);
  });
});

it('two servers: one looks', async () => {
  const on = await freshDatabase('postgres');
  onTestFinished(on.drop);
  const env = { CHARACTER_API_URL: data.url, GUILD_NAME: GUILD };
  const first = await createTestApp('postgres', { on, env });
  const second = await createTestApp('postgres', { on, env });
  await configure(first, { facts_enabled: 1 });
  const member = await aLeaver(first);
  for (const app of [first, second]) await app.beat();
  for (const app of [second, first]) await app.runDue();
  await noneRuns(first);
  expect(data.requests).toEqual([member.name]);
  expect(await kinds(second)).toEqual(['left']);
}, 120_000);
