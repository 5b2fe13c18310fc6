import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ClientEvents, ONLINE_LASTS_MS, type ServerEvents } from '../../../shared/live.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { OnlineHunters } from '../../../shared/schemas/online.ts';
import { admin } from '../../activity/test/write.ts';
import { aClaim, aKey, asMember, submitted } from '../../dev/test/builders.ts';
import { databases, freshDatabase } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { joinParts, publishOnline } from '../../live/online.ts';
import { createPresenceRelay } from '../../live/presence-relay.ts';
import {
  GARBAGE,
  HANG_UP,
  MAINTENANCE,
  RATE_LIMITED,
  serveGameData,
} from '../verification/test/game-data.ts';
import { readOnline } from './read-online.ts';

const data = await serveGameData();
afterAll(data.close);
afterEach(() => {
  data.failWith(null);
  for (const world of ['Antica', 'Secura', 'Nova']) data.hideWorld(world);
  data.requests.length = 0;
});

/** SS+10 of today begins at 19:00 UTC: its hunters are looked up from 18:30 on. */
const at = (time: string): string => `2026-11-21T${time}.000Z`;

async function anApp(dialect: (typeof databases)[number], on = true): Promise<TestApp> {
  const app = await createTestApp(dialect, { env: { CHARACTER_API_URL: data.url } });
  if (on) await admin(app, 'put /admin/config', { online_enabled: 1 }).expect(200);
  return app;
}

/** A hunter of SS+10 to SS+14 in a world. */
async function aHunter(app: TestApp, world = 'Antica', respawn_id = 1): Promise<AccessKey> {
  const key = await aKey(app);
  await submitted(app, key, aClaim(key, { respawn_id }));
  data.show({ name: key.character_name, world });
  return key;
}

/** The readings that a page receives. */
async function watch(app: TestApp, auth: object): Promise<OnlineHunters[]> {
  const socket: Socket<ServerEvents, ClientEvents> = io(app.url, {
    transports: ['websocket'],
    auth,
  });
  onTestFinished(() => void socket.disconnect());
  const got: OnlineHunters[] = [];
  socket.on('online', (state) => got.push(state));
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  await socket.emitWithAck('sync', null);
  return got;
}

/** One minute's reading. */
async function reading(app: TestApp, time: string): Promise<void> {
  app.setNow(at(time));
  await app.beat();
  await app.runDue();
  await noneRuns(app);
}

/** Jobs outside a transaction may continue when the due ones were started. */
const noneRuns = ({ ctx }: TestApp): Promise<void> =>
  expect
    .poll(
      () => ctx.db.selectFrom('jobs').select('id').where('kind', '=', readOnline.kind).execute(),
      { timeout: 30_000, interval: 20 },
    )
    .toEqual([]);

const tokenOf = ({ admin: { Authorization } }: TestApp) => ({
  admin_token: Authorization.slice('Bearer '.length),
});
const stored = async (
  app: TestApp,
  headers: Record<string, string> = app.admin,
): Promise<OnlineHunters | null> =>
  (await app.api.get('/online').set(headers).expect(200)).body.data;

describe.each(databases)('who is online on %s', (dialect) => {
  it('is read from 30 minutes before a hunt and sent to two pages; who is offline, to admins alone', async () => {
    const app = await anApp(dialect);
    const one = await aHunter(app, 'Antica');
    const two = await aHunter(app, 'Antica', 2);
    const member = await watch(app, { access_key: one.key_value });
    const ofAdmin = await watch(app, tokenOf(app));
    data.showWorld('Antica', [one.character_name.toUpperCase(), 'Somebody']);
    await reading(app, '18:29:00');
    expect(data.requests).toEqual([]);
    await reading(app, '18:30:00');
    const state = { names: [one.character_name], worlds: ['Antica'], as_of: at('18:30:00') };
    await expect.poll(() => member).toEqual([state]);
    const offline = [{ name: two.character_name, since: at('18:30:00') }];
    await expect.poll(() => ofAdmin).toEqual([{ ...state, offline }]);
    expect(await stored(app, asMember(one))).toEqual(state);
    expect(await stored(app)).toEqual({ ...state, offline });
    // A page that comes later gets the newest.
    const late = await watch(app, { access_key: two.key_value });
    await expect.poll(() => late).toEqual([state]);
    // Each character is looked up once, each world at each reading; since when stays.
    await reading(app, '18:31:00');
    expect(data.requests).toEqual([one.character_name, two.character_name, 'Antica', 'Antica']);
    await expect.poll(() => ofAdmin.at(-1)?.as_of).toBe(at('18:31:00'));
    expect(ofAdmin.at(-1)?.offline).toEqual(offline);
    data.showWorld('Antica', [one.character_name, two.character_name]);
    await reading(app, '18:32:00');
    await expect.poll(() => ofAdmin.at(-1)?.names).toHaveLength(2);
    expect(ofAdmin.at(-1)?.offline).toEqual([]);
    // After the hunts, no hunter is looked up.
    const requested = data.requests.length;
    await reading(app, '23:00:00');
    expect(data.requests).toHaveLength(requested);
  });

  it('is forgotten after three minutes, and asked for again no sooner than a minute', async () => {
    const app = await anApp(dialect);
    const one = await aHunter(app);
    data.showWorld('Antica', [one.character_name]);
    await reading(app, '18:30:00');
    await expect.poll(() => stored(app)).not.toBeNull();
    await reading(app, '18:30:30');
    expect(data.requests).toHaveLength(2);
    data.failWith(HANG_UP);
    await reading(app, '18:33:00');
    await expect.poll(() => stored(app)).toMatchObject({ names: [one.character_name] });
    app.setNow(new Date(Date.parse(at('18:30:00')) + ONLINE_LASTS_MS + 1).toISOString());
    expect(await stored(app)).toBeNull();
    expect(await watch(app, tokenOf(app))).toEqual([]);
  });

  it.each([
    ['away', HANG_UP],
    ['in maintenance', MAINTENANCE],
    ['throttling', RATE_LIMITED],
    ['wrong', GARBAGE],
  ])(
    'is unknown, never offline, while the source is %s, which is left alone for longer and longer',
    async (_, reply) => {
      const app = await anApp(dialect);
      await aHunter(app);
      data.failWith(reply);
      await reading(app, '18:30:00');
      expect(await stored(app)).toBeNull();
      for (const time of ['18:31:00', '18:32:00', '18:33:00', '18:34:00', '18:35:00'])
        await reading(app, time);
      expect(data.requests.length).toBeLessThan(6);
      data.failWith(null);
      data.showWorld('Antica', ['Somebody']);
      await reading(app, '18:45:00');
      // With PostgreSQL, a reading comes back by a notification.
      await expect.poll(async () => (await stored(app))?.offline).toHaveLength(1);
    },
  );

  it('is unknown, never offline, of an unknown character, of an empty world, and of one that fails', async () => {
    const app = await anApp(dialect);
    const stranger = await aKey(app);
    await submitted(app, stranger, aClaim(stranger, { respawn_id: 3 }));
    await aHunter(app, 'Nova');
    const known = await aHunter(app, 'Antica', 2);
    data.showWorld('Nova', []);
    data.showWorld('Antica', [known.character_name]);
    await reading(app, '18:30:00');
    await expect
      .poll(() => stored(app))
      .toMatchObject({ names: [known.character_name], offline: [] });
  });

  it('of a renamed world is read under its new name', async () => {
    const app = await anApp(dialect);
    const one = await aHunter(app, 'Antica');
    data.showWorld('Antica', [one.character_name]);
    await reading(app, '18:30:00');
    data.hideWorld('Antica');
    data.show({ name: one.character_name, world: 'Secura' });
    data.showWorld('Secura', [one.character_name]);
    await reading(app, '18:31:00');
    await expect
      .poll(() => stored(app))
      .toMatchObject({
        names: [one.character_name],
        worlds: ['Secura'],
        as_of: at('18:31:00'),
      });
  });

  it('one or two look-ups that fail leave the others known; with a third the source is left alone', async () => {
    const app = await anApp(dialect);
    const bad: string[] = [];
    for (const respawn_id of [2, 3]) {
      const { character_name } = await aHunter(app, 'Antica', respawn_id);
      data.failFor(character_name, HANG_UP);
      bad.push(character_name);
    }
    const good = await aHunter(app);
    data.showWorld('Antica', [good.character_name]);
    for (const time of ['18:30:00', '18:31:00']) await reading(app, time);
    expect(data.requests).toEqual([...bad, good.character_name, 'Antica', 'Antica']);
    await expect
      .poll(() => stored(app))
      .toMatchObject({ names: [good.character_name], offline: [], as_of: at('18:31:00') });
    data.failWith(HANG_UP);
    data.requests.length = 0;
    for (const time of ['18:41:00', '18:41:05']) await reading(app, time);
    expect(data.requests).toHaveLength(3);
  });

  it('of a hunter under a former name is unknown', async () => {
    const app = await anApp(dialect);
    const online = await aHunter(app);
    const { character_name } = await aHunter(app, 'Antica', 2);
    data.show({ name: 'New Name', former_name: character_name });
    data.showWorld('Antica', [online.character_name, 'New Name']);
    await reading(app, '18:30:00');
    await expect
      .poll(() => stored(app))
      .toMatchObject({ names: [online.character_name], offline: [] });
  });

  it('of a hunter who moved to another world is read there, not called offline', async () => {
    const app = await anApp(dialect);
    const one = await aHunter(app);
    data.showWorld('Antica', [one.character_name]);
    await reading(app, '18:30:00');
    data.showWorld('Antica', ['Somebody']);
    data.show({ name: one.character_name, world: 'Secura' });
    data.showWorld('Secura', [one.character_name]);
    await reading(app, '18:36:00');
    await expect
      .poll(() => stored(app))
      .toMatchObject({ names: [one.character_name], worlds: ['Secura'], offline: [] });
  });

  it('offline counts from the first reading after a gap', async () => {
    const app = await anApp(dialect);
    const { character_name: name } = await aHunter(app);
    data.showWorld('Antica', ['Somebody']);
    for (const time of ['18:30:00', '18:32:00']) await reading(app, time);
    await expect
      .poll(async () => (await stored(app))?.offline)
      .toEqual([{ name, since: at('18:30:00') }]);
    await reading(app, '18:40:00');
    await expect
      .poll(async () => (await stored(app))?.offline)
      .toEqual([{ name, since: at('18:40:00') }]);
  });

  it('switched off, is sent to no page any more', async () => {
    const app = await anApp(dialect);
    const one = await aHunter(app);
    data.showWorld('Antica', [one.character_name]);
    await reading(app, '18:30:00');
    await expect.poll(() => stored(app)).not.toBeNull();
    const got = await watch(app, tokenOf(app));
    await expect.poll(() => got).toHaveLength(1);
    await admin(app, 'put /admin/config', { online_enabled: 0 }).expect(200);
    expect(await stored(app)).toBeNull();
    const late = await watch(app, tokenOf(app));
    // By the time another page has connected and synced, a reading would have arrived.
    await watch(app, tokenOf(app));
    expect(late).toEqual([]);
  });

  it('is not read while switched off, and cannot be switched on where characters are checked by hand', async () => {
    const app = await anApp(dialect, false);
    await aHunter(app);
    await reading(app, '18:30:00');
    expect(data.requests).toEqual([]);
    const manual = await createTestApp(dialect, { env: { CHARACTER_CHECK: 'manual' } });
    expectRefusal(
      await admin(manual, 'put /admin/config', { online_enabled: 1 }),
      409,
      'online.manual',
      "Claimboard can't read who is online: this server checks characters manually (CHARACTER_CHECK).",
    );
    await admin(manual, 'put /admin/config', { online_enabled: 0, hold_minutes: 9 }).expect(200);
  });
});

it('two servers: one asks, and the watchers of both are told', async () => {
  const on = await freshDatabase('postgres');
  onTestFinished(on.drop);
  const env = { CHARACTER_API_URL: data.url };
  const first = await createTestApp('postgres', { on, env });
  const second = await createTestApp('postgres', { on, env });
  await admin(first, 'put /admin/config', { online_enabled: 1 }).expect(200);
  const hunters: AccessKey[] = [];
  for (let respawn_id = 1; respawn_id <= 2; respawn_id += 1)
    hunters.push(await aHunter(first, 'Antica', respawn_id));
  const names = hunters.map(({ character_name }) => character_name);
  data.showWorld('Antica', names);
  const pages = await Promise.all([watch(first, tokenOf(first)), watch(second, tokenOf(first))]);
  for (const app of [first, second]) app.setNow(at('18:30:00'));
  for (const app of [first, second]) await app.beat();
  for (const app of [second, first]) await app.runDue();
  await noneRuns(first);
  for (const got of pages)
    await expect.poll(() => got.at(-1)?.names.toSorted()).toEqual(names.toSorted());
  expect(data.requests.filter((name) => name === 'Antica')).toHaveLength(1);
}, 120_000);

it('many hunters are sent between servers in parts, none of which is too long for a notification', () => {
  const relay = createPresenceRelay();
  const texts: string[] = [];
  relay.connect((text) => texts.push(text));
  const names = Array.from({ length: 150 }, (_, nth) => `Hunter of the Northern Keep ${nth}`);
  const offline = names.map((name) => ({ name: `${name} B`, since: at('18:30:00') }));
  const worlds = names.map(() => 'Antica');
  const reading: OnlineHunters = { names, worlds, as_of: at('18:30:00'), offline };
  publishOnline(relay, reading);
  expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeLessThan(8_000);
  const join = joinParts();
  let joined: OnlineHunters | null = null;
  relay.listen((message) => {
    if (message.op === 'online') joined = join(message) ?? joined;
  });
  for (const text of texts) relay.receive(text);
  expect(joined).toEqual(reading);
});
