import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { aKey, asMember } from '../../dev/test/builders.ts';
import { databases, filledDatabase } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, NOW, type TestApp, type TestAppOptions } from '../../dev/test/test-app.ts';
import {
  CLIENT_SECRET,
  type Discord,
  GUILD_ID,
  type SignedInUser,
  setUp,
  startDiscord,
  THORA,
  unredactedLog,
} from '../discord-app/test/stand-in.ts';
import { CALLBACKS_IN_WINDOW, CONNECT_MINUTES, TICKET_S } from './sign-in.ts';

const BOARD = 'http://127.0.0.1';
const CALLBACK = `${BOARD}/api/discord/callback`;
type Key = Awaited<ReturnType<typeof aKey>>;

const later = (app: TestApp, ms: number): void =>
  app.setNow(new Date(Date.parse(NOW) + ms).toISOString());

/** A browser that keeps the cookie and follows no redirect. */
class Browser {
  readonly app: TestApp;
  cookie = '';
  constructor(app: TestApp) {
    this.app = app;
  }
  /** Not by `api`, which keeps the cookies of one browser. */
  private open(path: string) {
    const request = supertest(this.app.url).get(`/api${path}`);
    return request.set('Host', new URL(BOARD).host).set('Cookie', this.cookie);
  }
  /** Presses Continue with Discord. @returns the state that Discord gets */
  async begin(): Promise<string> {
    const { status, headers } = await this.open('/discord/sign-in');
    expect(status).toBe(302);
    const [cookie = ''] = headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/);
    this.cookie = cookie.split(';')[0] ?? '';
    return new URL(headers.location ?? '').searchParams.get('state') ?? '';
  }
  /** @returns the fragment of the page that it is led to */
  async callback(query: Record<string, string>): Promise<string> {
    const { status, headers } = await this.open(`/discord/callback?${new URLSearchParams(query)}`);
    expect(status).toBe(302);
    const [page, fragment = ''] = (headers.location ?? '').split('#');
    expect([page, headers['cache-control']]).toEqual(['/login', 'no-store']);
    return fragment;
  }
  async signIn(discord: Discord, user: SignedInUser = THORA): Promise<string> {
    const state = await this.begin();
    return this.callback({ state, code: discord.codeFor(user, CALLBACK) });
  }
}

const redeem = ({ api }: TestApp, fragment: string, { cookie }: Pick<Browser, 'cookie'>) =>
  api
    .post('/discord/sign-in')
    .set('Cookie', cookie)
    .send({ ticket: fragment.replace(/^discord=/, '') });
const connect = ({ api }: TestApp, connect_token: string, key: Key) =>
  api.post('/discord/connect').send({ connect_token, access_key: key.key_value });

describe.each(databases)('signing in with Discord on %s', (dialect) => {
  const aGuild = async (options: TestAppOptions = {}, guild_id: string | null = null) => {
    const discord = await startDiscord();
    const app = await createTestApp(dialect, {
      ...options,
      env: {
        DISCORD_API_URL: discord.url,
        DISCORD_AUTHORIZE_URL: discord.authorizeUrl,
        ALLOW_PRIVATE_DESTINATIONS: '1',
        PUBLIC_URL: BOARD,
        ...options.env,
      },
    });
    await setUp(app, discord, { guild_id }).expect(200);
    await app.api
      .put('/admin/discord/sign-in')
      .set(app.admin)
      .send({ client_secret: CLIENT_SECRET })
      .expect(200);
    return { app, discord };
  };
  /** A character of the user, as a first sign-in connects it. */
  const connected = async (
    { app, discord }: { app: TestApp; discord: Discord },
    name: string,
    user = THORA,
  ): Promise<Key> => {
    const key = await aKey(app, name);
    const browser = new Browser(app);
    const { body } = await redeem(app, await browser.signIn(discord, user), browser).expect(200);
    await connect(app, body.data.connect_token, key).expect(200);
    return key;
  };
  const rows = async ({ ctx }: TestApp): Promise<number> =>
    (await ctx.db.selectFrom('discord_sign_in_tokens').selectAll().execute()).length;

  it('asks Discord who it is, connects a character once, and from then on signs in', async () => {
    const lines: string[] = [];
    const guild = await aGuild({ context: { log: unredactedLog(lines) } });
    const { app, discord } = guild;
    const ann = await aKey(app, 'Ann');
    const browser = new Browser(app);
    const fragment = await browser.signIn(discord, { ...THORA, locale: 'pt-BR' });
    expect(fragment).toMatch(/^discord=[\w-]{43}$/);
    const first = (await redeem(app, fragment, browser).expect(200)).body.data;
    expect(first).toEqual({
      discord_name: 'Thora',
      characters: [],
      connect_token: expect.stringMatching(/^[\w-]{43}$/),
    });
    const answer = await connect(app, first.connect_token, ann).expect(200);
    expect(answer.body.data).toEqual({ discord_name: 'Thora' });
    const links = await app.api.get('/discord/links').set(asMember(ann)).expect(200);
    expect(links.body.data.link).toMatchObject({
      discord_user_id: THORA.id,
      discord_name: 'Thora',
      linked_at: NOW,
    });
    const again = await browser.signIn(discord);
    expect((await redeem(app, again, browser).expect(200)).body.data).toEqual({
      discord_name: 'Thora',
      characters: [{ characterName: 'Ann', memberType: 'member', accessKey: ann.key_value }],
      connect_token: null,
    });
    const setup = await app.api.get('/admin/discord/sign-in').set(app.admin).expect(200);
    expect(setup.body.data).toEqual({
      redirect_url: CALLBACK,
      secret: { saved_at: NOW, first_sign_in_at: NOW, error: null },
    });
    // Discord was asked as its documentation says, and got no secret of ours.
    expect(discord.calls.slice(-2).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/v10/oauth2/token',
      'GET /api/v10/users/@me',
    ]);
    const log = (await app.api.get('/admin/activity-log').set(app.admin)).body;
    const written = lines.join('\n') + JSON.stringify(log) + JSON.stringify(discord.calls);
    for (const secret of [fragment.slice(8), again.slice(8), first.connect_token, ann.key_value])
      expect(written).not.toContain(secret);
    for (const secret of [CLIENT_SECRET, 'oauth-code-', 'discord-access-token-', browser.cookie])
      expect(lines.join('\n') + JSON.stringify(log)).not.toContain(secret);
  });

  it('gives all characters whose keys work, and no revoked or banned ones', async () => {
    const guild = await aGuild();
    const { app, discord } = guild;
    await connected(guild, 'Ann');
    for (const name of ['Bob', 'Cid', 'Dan']) {
      const key = await aKey(app, name);
      const link = { discord_user_id: THORA.id, discord_name: 'Thora', discord_linked_at: NOW };
      const at = app.ctx.db.updateTable('access_keys').set(link).where('id', '=', key.id);
      await app.ctx.writes.transaction((tx) => tx.executeQuery(at).then(() => undefined));
      if (name === 'Bob')
        await app.api.put(`/admin/access-keys/${key.id}/revoke`).set(app.admin).send({});
      if (name === 'Cid')
        await app.api.post('/admin/ban-character').set(app.admin).send({ character_name: name });
    }
    const browser = new Browser(app);
    const { body } = await redeem(app, await browser.signIn(discord), browser).expect(200);
    expect(
      body.data.characters.map((each: { characterName: string }) => each.characterName),
    ).toEqual(['Ann', 'Dan']);
  });

  it('refuses callbacks without a state, of another browser, and of an invented one; nothing is stored', async () => {
    const { app, discord } = await aGuild();
    const victim = new Browser(app);
    const attacker = new Browser(app);
    const state = await attacker.begin();
    const code = discord.codeFor(THORA, CALLBACK);
    expect(await new Browser(app).callback({ state, code })).toBe('discord-error=state');
    await victim.begin();
    for (const query of [
      { state, code },
      { code },
      { state: '', code },
      { state: `${state}x`, code },
      { state: state.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A')), code },
      { state: 'x'.repeat(1_000), code },
    ])
      expect(await victim.callback(query as Record<string, string>)).toBe('discord-error=state');
    const twice = await app.api
      .get('/discord/callback?state=a&state=b&code=c&code=d')
      .set('Cookie', victim.cookie);
    expect([twice.status, twice.headers.location]).toEqual([302, '/login#discord-error=state']);
    expect(await rows(app)).toBe(0);
    expect(discord.calls.filter(({ path }) => path.includes('oauth2'))).toEqual([]);
    // The code was never sent, so it still works for the browser that began.
    expect(await attacker.callback({ state, code })).toMatch(/^discord=/);
  });

  it('refuses a repeated callback, a used and an expired state, and a code that Discord refuses', async () => {
    const { app, discord } = await aGuild();
    const browser = new Browser(app);
    const state = await browser.begin();
    const code = discord.codeFor(THORA, CALLBACK);
    expect(await browser.callback({ state, code })).toMatch(/^discord=/);
    expect(await rows(app)).toBe(1);
    expect(await browser.callback({ state, code })).toBe('discord-error=expired');
    const other = discord.codeFor(THORA, CALLBACK);
    expect(await browser.callback({ state, code: other })).toBe('discord-error=expired');
    expect(await browser.callback({ state: await browser.begin(), code })).toBe(
      'discord-error=expired',
    );
    const late = await browser.begin();
    later(app, 10 * 60_000 + 1);
    expect(await browser.callback({ state: late, code: other })).toBe('discord-error=expired');
    expect(await browser.callback({ state: await browser.begin(), error: 'access_denied' })).toBe(
      'discord-error=denied',
    );
    expect(await browser.callback({ state: await browser.begin(), error: 'server_error' })).toBe(
      'discord-error=failed',
    );
    expect(await rows(app)).toBe(1);
  });

  it('two tabs of a browser can be at Discord at the same time', async () => {
    const { app, discord } = await aGuild();
    const browser = new Browser(app);
    const one = await browser.begin();
    const other = await browser.begin();
    for (const state of [other, one])
      expect(await browser.callback({ state, code: discord.codeFor(THORA, CALLBACK) })).toMatch(
        /^discord=/,
      );
  });

  it('a ticket works once and for a minute, a token that connects once and for half an hour', async () => {
    const { app, discord } = await aGuild();
    const ann = await aKey(app, 'Ann');
    const browser = new Browser(app);
    const gone = async (answer: ReturnType<typeof redeem>, code: string) => {
      const { status, body } = await answer;
      expect([status, body.code]).toEqual([404, code]);
    };
    const used = await browser.signIn(discord);
    const { connect_token } = (await redeem(app, used, browser).expect(200)).body.data;
    await gone(redeem(app, used, browser), 'discord.signInExpired');
    await gone(redeem(app, connect_token, browser), 'discord.signInExpired');
    await gone(connect(app, used.slice(8), ann), 'discord.connectExpired');
    const late = await browser.signIn(discord);
    later(app, TICKET_S * 1_000);
    await gone(redeem(app, late, browser), 'discord.signInExpired');
    // Both together link, and a key that is refused uses nothing up.
    const refused = await app.api
      .post('/discord/connect')
      .send({ connect_token, access_key: 'AAAA-AAAA-AAAA' });
    expectRefusal(refused, 401, 'session.invalidKey', 'Invalid access key', {});
    later(app, CONNECT_MINUTES * 60_000);
    await gone(connect(app, connect_token, ann), 'discord.connectExpired');
    later(app, CONNECT_MINUTES * 60_000 - 1);
    await connect(app, connect_token, ann).expect(200);
    await gone(connect(app, connect_token, ann), 'discord.connectExpired');
    later(app, 2 * 3_600_000);
    await app.runDue();
    expect(await rows(app)).toBe(0);
  });

  it('a ticket works in the browser that began the sign-in alone', async () => {
    const { app, discord } = await aGuild();
    const attacker = new Browser(app);
    const ticket = await attacker.signIn(discord);
    const other = new Browser(app);
    await other.begin();
    for (const browser of [other, { cookie: '' }]) {
      const { status, body } = await redeem(app, ticket, browser);
      expect([status, body.code]).toEqual([404, 'discord.signInExpired']);
    }
    await redeem(app, ticket, attacker).expect(200);
  });

  it.each(['removed', 'replaced by another'])(
    'an app that is %s takes its client secret and tokens along',
    async (how) => {
      const { app, discord } = await aGuild();
      await new Browser(app).signIn(discord);
      expect(await rows(app)).toBe(1);
      if (how === 'removed') await app.api.delete('/admin/discord').set(app.admin).expect(200);
      else await setUp(app, discord, { application_id: '999456789012345678' }).expect(200);
      const secrets = await app.ctx.db.selectFrom('discord_sign_in').selectAll().execute();
      expect([secrets.length, await rows(app)]).toEqual([0, 0]);
    },
  );

  it('with a server id, refuses users who are not in that server', async () => {
    const { app, discord } = await aGuild({}, GUILD_ID);
    const browser = new Browser(app);
    const { headers } = await app.api.get('/discord/sign-in');
    expect(new URL(headers.location ?? '').searchParams.get('scope')).toBe(
      'identify guilds.members.read',
    );
    expect(await browser.signIn(discord)).toBe('discord-error=server');
    expect(await rows(app)).toBe(0);
    discord.inServer.add(THORA.id);
    expect(await browser.signIn(discord)).toMatch(/^discord=/);
  });

  it('counts callbacks of an address, and never refuses a valid state for the count', async () => {
    const { app, discord } = await aGuild();
    const state = { state: 'invented', code: 'c' };
    for (let nth = 1; nth <= CALLBACKS_IN_WINDOW; nth += 1)
      expect(await new Browser(app).callback(state)).toBe('discord-error=state');
    expect(await new Browser(app).callback(state)).toBe('discord-error=tooMany');
    expect(await new Browser(app).signIn(discord)).toMatch(/^discord=/);
    expect(await new Browser(app).callback(state)).toBe('discord-error=tooMany');
    later(app, 10 * 60_000);
    expect(await new Browser(app).callback(state)).toBe('discord-error=state');
  });

  it('says why it failed where Discord is away or rejects the secret, and stores no secret twice', async () => {
    const { app, discord } = await aGuild();
    const browser = new Browser(app);
    const errorOf = async () =>
      (await app.api.get('/admin/discord/sign-in').set(app.admin)).body.data.secret.error;
    for (const [answer, error] of [
      [{ status: 503 }, 'unreachable'],
      [{ status: 429, body: { retry_after: 1 } }, 'tooMany'],
      [{ status: 200, body: 'no token' }, 'refused'],
      [{ status: 401 }, 'clientSecret'],
    ] as const) {
      discord.refuseWith(answer);
      expect([await browser.signIn(discord), await errorOf()]).toEqual([
        'discord-error=failed',
        error,
      ]);
    }
    discord.refuseWith(null);
    expect([await browser.signIn(discord), await errorOf()]).toEqual([
      expect.stringMatching(/^discord=/),
      null,
    ]);
  });

  it('is off without a secret, for another app, and without PUBLIC_URL', async () => {
    const { app, discord } = await aGuild();
    const isOn = async (of = app) => (await of.api.get('/config')).body.has_discord_sign_in;
    const begin = async (of = app) => (await of.api.get('/discord/sign-in')).headers.location;
    expect(await isOn()).toBe(1);
    const state = await new Browser(app).begin();
    await app.api.delete('/admin/discord/sign-in').set(app.admin).expect(200);
    expect([await isOn(), await begin(), state.length > 0]).toEqual([
      0,
      '/login#discord-error=failed',
      true,
    ]);
    const removed = await app.api.delete('/admin/discord/sign-in').set(app.admin);
    expectRefusal(removed, 404, 'discord.signInOff', 'Signing in with Discord is not set up.', {});
    await app.api
      .put('/admin/discord/sign-in')
      .set(app.admin)
      .send({ client_secret: CLIENT_SECRET })
      .expect(200);
    expect(await isOn()).toBe(1);
    const application_id = '999456789012345678';
    await setUp(app, discord, { application_id }).expect(200);
    const setup = await app.api.get('/admin/discord/sign-in').set(app.admin).expect(200);
    expect([await isOn(), setup.body.data.secret]).toEqual([0, null]);
    const local = await createTestApp(dialect, { env: { DISCORD_API_URL: discord.url } });
    await setUp(local, discord).expect(200);
    await local.api
      .put('/admin/discord/sign-in')
      .set(local.admin)
      .send({ client_secret: CLIENT_SECRET })
      .expect(200);
    expect([await isOn(local), await begin(local)]).toEqual([0, '/login#discord-error=failed']);
  });

  it.runIf(dialect === 'postgres')('one state leads to one ticket on two servers', async () => {
    const on = await filledDatabase(dialect);
    const { app, discord } = await aGuild({ on });
    const env = {
      DISCORD_API_URL: discord.url,
      ALLOW_PRIVATE_DESTINATIONS: '1',
      PUBLIC_URL: BOARD,
    };
    const other = await createTestApp(dialect, { on, env });
    const browser = new Browser(app);
    const state = await browser.begin();
    const elsewhere = new Browser(other);
    elsewhere.cookie = browser.cookie;
    const code = (): string => discord.codeFor(THORA, CALLBACK);
    expect(await elsewhere.callback({ state, code: code() })).toMatch(/^discord=/);
    expect(await browser.callback({ state, code: code() })).toBe('discord-error=expired');
  });
});
