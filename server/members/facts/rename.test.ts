import { io } from 'socket.io-client';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { nameKey } from '../../../shared/rules/names.ts';
import { latest, undo } from '../../activity/test/undo.ts';
import { admin } from '../../activity/test/write.ts';
import { aClaim, aSpot, asMember, changeUnheard, submitAsAdmin } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { serveGameData } from '../verification/test/game-data.ts';
import { lookAtFacts } from './look.ts';
import { aMember, type VerifiedMember } from './test/need.ts';

const data = await serveGameData();
afterAll(data.close);
afterEach(() => data.failWith(null));

let names = 0;
/** The game knows no digits in names. */
const newName = (): string => {
  names += 1;
  return `Knight ${String.fromCharCode(65 + names / 26, 97 + (names % 26))}`;
};

const HOUR_MS = 3_600_000;
const later = (hours: number): string => new Date(Date.parse(NOW) + hours * HOUR_MS).toISOString();
const TODAY = '2026-11-21';
const TOMORROW = '2026-11-22';

async function anApp(dialect: (typeof databases)[number]): Promise<TestApp> {
  const app = await createTestApp(dialect, { env: { CHARACTER_API_URL: data.url } });
  await admin(app, 'put /admin/config', { facts_enabled: 1 }).expect(200);
  return app;
}

/** Looks at all that are due. */
async function look(app: TestApp, hours: number): Promise<void> {
  for (let minute = 0; minute < 4; minute += 1) {
    app.setNow(later(hours + minute / 60));
    await app.beat();
    await app.runDue();
    await expect
      .poll(
        () =>
          app.ctx.db.selectFrom('jobs').select('id').where('kind', '=', lookAtFacts.kind).execute(),
        { timeout: 30_000, interval: 20 },
      )
      .toEqual([]);
  }
}

const rename = ({ name }: VerifiedMember, to: string): void => {
  const profile = { name: to, former_names: [name] };
  data.show({ ...profile, former_name: name });
  data.show(profile);
};

/** On a spot of its own, so that only the character's date counts. */
const fields = (date = TODAY) => ({ respawn_id: aSpot(), date, hour_start: 14, hour_end: 18 });

const claim = (app: TestApp, { name, key_value }: VerifiedMember, date = TODAY) =>
  app.api.post('/claims').send({
    access_key: key_value,
    member_type: 'member',
    claims: [aClaim({ character_name: name }, fields(date))],
  });

const claimAsAdmin = (app: TestApp, character_name: string, date: string) =>
  submitAsAdmin(app, 'member', aClaim({ character_name }, fields(date)));

async function stored(app: TestApp) {
  const { db } = app.ctx;
  const names = async (table: 'claims' | 'waits' | 'claim_endings' | 'verifications' | 'bans') =>
    (await db.selectFrom(table).select(['character_name', 'character_key']).execute())
      .map(({ character_name, character_key }) => {
        expect(character_key).toBe(nameKey(character_name));
        return character_name;
      })
      .sort();
  return {
    claims: await names('claims'),
    endings: await names('claim_endings'),
    codes: [...new Set(await names('verifications'))],
    bans: await names('bans'),
    days: (await db.selectFrom('occupied_days').selectAll().orderBy('claim_id').execute()).map(
      ({ character_key, date }) => `${character_key} ${date}`,
    ),
    keys: await db
      .selectFrom('access_keys')
      .select(['id', 'character_name', 'key_value', 'member_type', 'is_revoked'])
      .orderBy('id')
      .execute(),
    stars: await db.selectFrom('stars').select(['character_key', 'respawn_id']).execute(),
  };
}

const login = (app: TestApp, key_value: string) =>
  app.api.post('/login').send({ accessKey: key_value });

const NO_SHOW = {
  claim_id: 987,
  part_number: 1,
  member_type: 'member',
  is_secondary_claim: 0,
  respawn_id: 9,
  respawn_name: 'Spot',
  event_id: null,
  date: TODAY,
  first_date: TODAY,
  last_date: TODAY,
  hour_start: 10,
  hour_end: 14,
  made_at: NOW,
  ended_at: later(0.1),
  ended_date: TODAY,
  ended_hour: 10,
  reason: 'no_show',
  ended_by: null,
} as const;

let minutes = 0;
/** Verifies a character by its comment, each at another time: an address waits for its turn. */
async function verify(app: TestApp, name: string, profile: object = {}) {
  minutes += 5;
  app.setNow(later(minutes / 60));
  const answer = await app.api.post('/generate-verification-code').send({ character_name: name });
  const { code: comment, verification_token } = answer.body.data;
  data.show({ name, comment, ...profile });
  return app.api.post('/check-verification').send({ characterName: name, verification_token });
}

describe.each(databases)('a renamed character on %s', (dialect) => {
  it('keeps its key, claims, history and stars under the new name, in one write; the old name cannot claim', async () => {
    const app = await anApp(dialect);
    const member = await aMember(app, newName());
    const to = newName();
    const given = await claim(app, member).expect(201);
    await claim(app, member, TOMORROW).expect(201);
    await app.api.delete(`/admin/claims/${given.body.data[0].id}`).set(app.admin).expect(200);
    await app.api
      .post('/stars')
      .set(asMember(member))
      .send({ respawn_ids: [5] })
      .expect(200);
    data.show({ name: member.name });
    await look(app, 0);
    const socket = io(app.url, {
      transports: ['websocket'],
      auth: { access_key: member.key_value },
      reconnection: false,
    });
    onTestFinished(() => void socket.disconnect());
    await new Promise((resolve) => socket.once('connect', () => resolve(null)));
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    rename(member, to);
    const before = app.ctx.bus.clock();
    await look(app, 24);
    const sets = await app.ctx.db
      .selectFrom('changes')
      .select('body')
      .where('clock', '>', before)
      .execute();
    expect(sets.filter(({ body }) => body.includes('access_key'))).toHaveLength(1);
    expect(await stored(app)).toEqual({
      claims: [to],
      endings: [to],
      codes: [to],
      bans: [],
      days: [`${nameKey(to)} ${TOMORROW}`],
      keys: [
        {
          id: member.id,
          character_name: to,
          key_value: member.key_value,
          member_type: 'member',
          is_revoked: 0,
        },
      ],
      stars: [{ character_key: nameKey(to), respawn_id: 5 }],
    });
    expect(await closed).toBe('io server disconnect');
    const { body } = await login(app, member.key_value).expect(200);
    expect(body.data.user.characterName).toBe(to);
    expect(await latest(app, 'character_renamed')).toMatchObject({
      actor_kind: 'server',
      details: { changed: { character_name: { from: member.name, to } } },
    });
    const refusal = `${member.name} is now called ${to}. Use that name.`;
    for (const answer of [
      await claimAsAdmin(app, member.name, TOMORROW),
      await admin(app, 'post /admin/access-keys', { characterName: member.name }),
      await admin(app, 'post /admin/verify-character', { character_name: member.name }),
    ])
      expectRefusal(answer, 409, 'character.hasNewName', refusal);
    const { body: imported } = await admin(app, 'post /admin/import/members', {
      preview: true,
      rows: [{ character_name: member.name }],
    });
    expect(JSON.stringify(imported)).toContain('character.hasNewName');
    // The deleted claim returns to who made it.
    await undo(app, (await latest(app, 'claim_deleted')).id).expect(200);
    expect((await stored(app)).claims).toEqual([to, to]);
    expect((await claim(app, { ...member, name: to }, TOMORROW)).body.code).toBe(
      'claim.characterHasClaim',
    );
  });

  it('keeps its weekly claims, waitlist entries, held hours and missed claims', async () => {
    const app = await anApp(dialect);
    await admin(app, 'put /admin/config', {
      standing_enabled: 1,
      waits_enabled: 1,
      confirm_enabled: 1,
      no_show_limit: 1,
    }).expect(200);
    const member = await aMember(app, newName());
    const holder = await aMember(app, newName());
    const hours = { respawn_id: 7, hour_start: 14, hour_end: 18 };
    await app.api
      .post('/claims')
      .send({
        access_key: holder.key_value,
        member_type: 'member',
        claims: [aClaim({ character_name: holder.name }, hours)],
      })
      .expect(201);
    await app.api
      .post('/waits')
      .set(asMember(member))
      .send({ ...hours, date: TODAY })
      .expect(201);
    await app.api
      .post('/standing')
      .set(asMember(member))
      .send({ respawn_id: 8, weekdays: [1], hour_start: 14, hour_end: 18 })
      .expect(201);
    const theirs = async (name: string) => {
      const { db } = app.ctx;
      const counts: Record<string, number> = {};
      for (const table of ['waits', 'standing_claims'] as const)
        counts[table] = (
          await db
            .selectFrom(table)
            .select('id')
            .where('character_key', '=', nameKey(name))
            .where('character_name', '=', name)
            .where('ended_at', 'is', null)
            .execute()
        ).length;
      return counts;
    };
    expect(await theirs(member.name)).toEqual({ waits: 1, standing_claims: 1 });
    const to = newName();
    data.show({ name: holder.name });
    rename(member, to);
    await look(app, 0.1);
    expect(await theirs(to)).toEqual({ waits: 1, standing_claims: 1 });
    await changeUnheard(app, (tx) =>
      tx
        .insertInto('claim_endings')
        .values({ ...NO_SHOW, character_name: to, character_key: nameKey(to) })
        .execute(),
    );
    // Offered to the new name, which its next name takes over with the held hours.
    const [held] = await app.ctx.db.selectFrom('claims').select('id').execute();
    await admin(app, 'put /admin/config', { no_show_limit: 0 }).expect(200);
    await app.api.delete(`/admin/claims/${held?.id}`).set(app.admin).expect(200);
    const third = newName();
    rename({ ...member, name: to }, third);
    await look(app, 24.2);
    expect((await stored(app)).claims).toContain(third);
    expect(await theirs(third)).toMatchObject({ standing_claims: 1 });
    await admin(app, 'put /admin/config', { no_show_limit: 1 }).expect(200);
    const answer = await claim(app, { ...member, name: third }, '2026-11-24');
    expect(answer.body.code).toBe('claim.missedTooMany');
  });

  it('back at an old name is not moved by what an earlier look told; all former names lead to it', async () => {
    const app = await anApp(dialect);
    const member = await aMember(app, newName());
    const second = newName();
    const third = newName();
    rename(member, second);
    await look(app, 0);
    rename({ ...member, name: second }, third);
    await look(app, 24);
    for (const name of [member.name, second])
      expect((await claimAsAdmin(app, name, TOMORROW)).body).toMatchObject({
        code: 'character.hasNewName',
        params: { new_name: third },
      });
    data.show({ name: member.name, former_names: [second, third] });
    data.show({ name: member.name, former_names: [second, third], former_name: third });
    await look(app, 48);
    expect((await stored(app)).keys).toMatchObject([{ character_name: member.name }]);
    const notes = await app.ctx.db.selectFrom('former_members').select('character_key').execute();
    expect(notes.map(({ character_key }) => character_key)).not.toContain(nameKey(member.name));
    data.failWith((res) => res.writeHead(503).end());
    for (const hours of [72, 96]) await look(app, hours);
    expect((await stored(app)).keys).toMatchObject([{ character_name: member.name }]);
  });

  it('is known to the undo of what was done to its key under the old name', async () => {
    const app = await anApp(dialect);
    const member = await aMember(app, newName());
    await admin(app, 'post /admin/import/members', {
      rows: [{ character_name: 'Imported Knight' }],
    }).expect(200);
    data.show({ name: 'Imported Knight' });
    await admin(app, 'post /admin/verify-character', { character_name: 'Imported Knight' });
    const to = newName();
    const imported = newName();
    rename(member, to);
    rename({ ...member, name: 'Imported Knight' }, imported);
    await look(app, 0);
    const entry = await latest(app, 'members_imported');
    expect((await undo(app, entry.id)).body.code).toBe('activity.changedMeanwhile');
    expect((await stored(app)).keys.map((key) => key.character_name).toSorted()).toEqual(
      [to, imported].toSorted(),
    );
  });

  it('gets its old name back with an undo, until the source tells another one', async () => {
    const app = await anApp(dialect);
    const member = await aMember(app, newName());
    await claim(app, member).expect(201);
    const before = await stored(app);
    const to = newName();
    rename(member, to);
    await look(app, 0);
    await claim(app, { ...member, name: to }, TOMORROW).expect(201);
    const entry = await latest(app, 'character_renamed');
    await undo(app, entry.id).expect(200);
    const after = await stored(app);
    expect(after).toMatchObject({ codes: before.codes, keys: before.keys });
    expect(after.claims).toEqual([member.name, member.name]);
    for (const hours of [24, 48]) await look(app, hours);
    expect((await stored(app)).keys).toEqual(before.keys);
    const { body } = await app.api.get('/admin/needs-look').set(app.admin).expect(200);
    expect(body.data).toEqual([]);
    const third = newName();
    rename(member, third);
    await look(app, 72);
    expect((await stored(app)).claims).toEqual([third, third]);
    await claimAsAdmin(app, to, '2026-11-25').expect(201);
  });

  it("joins the new name's own key: the older type wins, the newer key stays, colliding claims are listed", async () => {
    const app = await anApp(dialect);
    const old = await aMember(app, newName());
    await admin(app, `put /admin/access-keys/${old.id}/member-type`, {
      memberType: 'elite',
    }).expect(200);
    app.setNow(later(0.01));
    const young = await aMember(app, newName());
    const [kept] = (await claim(app, old, TODAY).expect(201)).body.data;
    await claim(app, old, TOMORROW).expect(201);
    await claim(app, young, TODAY).expect(201);
    const before = await stored(app);
    rename(old, young.name);
    await look(app, 0.1);
    const after = await stored(app);
    expect(after.claims.toSorted()).toEqual([young.name, young.name, old.name].toSorted());
    expect(after.keys).toEqual([
      {
        id: young.id,
        character_name: young.name,
        key_value: young.key_value,
        member_type: 'elite',
        is_revoked: 0,
      },
    ]);
    // Each date has one claim of a name.
    expect(after.days.toSorted()).toEqual(
      [
        `${nameKey(old.name)} ${TODAY}`,
        `${nameKey(young.name)} ${TODAY}`,
        `${nameKey(young.name)} ${TOMORROW}`,
      ].toSorted(),
    );
    const entry = await latest(app, 'character_renamed');
    expect(entry.details).toMatchObject({ claims_left: [`${kept.respawn_name} (${TODAY})`] });
    expect((await login(app, old.key_value)).body.code).toBe('session.invalidKey');
    await login(app, young.key_value).expect(200);
    await undo(app, entry.id).expect(200);
    expect(await stored(app)).toEqual(before);
    await look(app, 25);
    expect(await stored(app)).toEqual(before);
  });

  it('found at a verification of the new name gets its own key; a ban and a revoked key follow', async () => {
    const app = await anApp(dialect);
    const member = await aMember(app, newName());
    const to = newName();
    const { body } = await verify(app, to, { former_names: [member.name] });
    expect(body.data).toMatchObject({ verified: true, accessKey: member.key_value });
    expect((await stored(app)).keys).toHaveLength(1);

    const banned = await aMember(app, newName());
    await admin(app, 'post /admin/ban-character', { character_name: banned.name }).expect(200);
    const other = newName();
    const refused = await verify(app, other, { former_names: [banned.name] });
    expect(refused.body.code).toBe('session.banned');
    expect((await stored(app)).bans).toEqual([other]);

    const revoked = await aMember(app, newName());
    await admin(app, `put /admin/access-keys/${revoked.id}/revoke`).expect(200);
    const third = await verify(app, newName(), { former_names: [revoked.name] });
    expect(third.body.code).toBe('session.keyRevoked');
  });

  it('is not moved while the check is off, nor joined with the key of a buyer', async () => {
    const app = await anApp(dialect);
    const seller = await aMember(app, newName());
    const buyer = await aMember(app, newName());
    const profile = { name: buyer.name, former_names: [seller.name], traded: true };
    data.show({ ...profile, former_name: seller.name });
    data.show({ name: buyer.name });
    await look(app, 0.1);
    expect((await stored(app)).keys).toHaveLength(2);
    await look(app, 24.2);
    expect((await login(app, seller.key_value)).body.code).toBe('session.characterTraded');
    await login(app, buyer.key_value).expect(200);
    await admin(app, 'put /admin/config', { facts_enabled: 0 }).expect(200);
    const member = await aMember(app, newName());
    await verify(app, newName(), { former_names: [member.name] });
    expect((await stored(app)).keys).toHaveLength(4);
  });
});
