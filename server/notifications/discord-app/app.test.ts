import { once } from 'node:events';
import { connect } from 'node:net';
import type { Logger } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aDestination, aKey, asMember } from '../../dev/test/builders.ts';
import { databases, filledDatabase, usualDatabases } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { SUGGESTIONS_IN_WINDOW } from './interactions.ts';
import {
  APPLICATION_ID,
  aCommand,
  anInteraction,
  BOT_TOKEN,
  type Discord,
  GUILD_ID,
  INTERACTION_TOKEN,
  interact,
  interactAt,
  setUp,
  startDiscord,
  unredactedLog,
} from './test/stand-in.ts';

interface Guild {
  app: TestApp;
  discord: Discord;
}

const aGuild = async (
  dialect: Parameters<typeof createTestApp>[0],
  context: { log?: Logger } = {},
): Promise<Guild> => {
  const discord = await startDiscord();
  const env = {
    DISCORD_API_URL: discord.url,
    ALLOW_PRIVATE_DESTINATIONS: '1',
    PUBLIC_URL: 'https://board.example',
  } as const;
  return { app: await createTestApp(dialect, { env, context }), discord };
};

describe.each(databases)('the set-up of the Discord app on %s', (dialect) => {
  it('saves the app, registers its commands, and never answers the bot token', async () => {
    const { app, discord } = await aGuild(dialect);
    const read = async () =>
      (await app.api.get('/admin/discord').set(app.admin).expect(200)).body.data;
    expect(await read()).toEqual({
      endpoint_url: 'https://board.example/api/discord/interactions',
      invite_url: null,
      app: null,
    });

    const { body } = await setUp(app, discord).expect(200);
    expect(body.data).toEqual(await read());
    expect(body.data.app).toMatchObject({
      application_id: APPLICATION_ID,
      guild_id: GUILD_ID,
      registered_at: NOW,
      register_error: null,
    });
    expect(body.data.invite_url).toContain(
      `client_id=${APPLICATION_ID}&scope=applications.commands+bot`,
    );
    expect(JSON.stringify(body)).not.toContain(BOT_TOKEN);
    const [call] = discord.calls;
    expect(call).toMatchObject({ method: 'PUT', authorization: `Bot ${BOT_TOKEN}` });
    expect(call?.path).toBe(`/api/v10/applications/${APPLICATION_ID}/guilds/${GUILD_ID}/commands`);
    const log = await app.api.get('/admin/activity-log').set(app.admin).expect(200);
    expect(JSON.stringify(log.body)).toContain('discord_app_saved');
    expect(JSON.stringify(log.body)).not.toContain(BOT_TOKEN);

    // Without a token the stored one stays; without a server the commands are for all.
    await setUp(app, discord, { bot_token: undefined, guild_id: null }).expect(200);
    expect(discord.calls.at(-2)).toMatchObject({
      path: expect.stringContaining(`/guilds/${GUILD_ID}/`),
      body: [],
    });
    expect(discord.calls.at(-1)).toMatchObject({
      path: `/api/v10/applications/${APPLICATION_ID}/commands`,
      authorization: `Bot ${BOT_TOKEN}`,
    });
  });

  it.each([
    [401, 'botToken'],
    [403, 'notInServer'],
    [404, 'unknownApplication'],
    [400, 'refused'],
    [503, 'unreachable'],
  ])(
    'keeps the app when Discord answers %i, and says why until it is registered',
    async (status, register_error) => {
      const { app, discord } = await aGuild(dialect);
      discord.refuseWith({ status });
      const { body } = await setUp(app, discord).expect(200);
      expect(body.data.app).toMatchObject({ registered_at: null, register_error });
      discord.refuseWith(null);
      const again = await app.api.post('/admin/discord/register').set(app.admin).expect(200);
      expect(again.body.data.app).toMatchObject({ registered_at: NOW, register_error: null });
    },
  );

  it('refuses an invalid app, and deletes a removed one', async () => {
    const { app, discord } = await aGuild(dialect);
    expectRefusal(
      await setUp(app, discord, { bot_token: undefined }),
      400,
      'discord.botTokenRequired',
      'Enter the bot token.',
      {},
    );
    await setUp(app, discord, { application_id: 'x' }).expect(400);
    await setUp(app, discord, { public_key: 'ab' }).expect(400);
    for (const call of [app.api.post('/admin/discord/register'), app.api.delete('/admin/discord')])
      expectRefusal(
        await call.set(app.admin),
        404,
        'discord.notSetUp',
        'The Discord app is not set up.',
        {},
      );
    await setUp(app, discord).expect(200);
    const another = await setUp(app, discord, {
      application_id: '923456789012345678',
      bot_token: undefined,
    });
    expectRefusal(another, 400, 'discord.botTokenRequired', 'Enter the bot token.', {});
    const isOffered = async () => (await app.api.get('/config')).body.has_discord_app;
    expect(await isOffered()).toBe(1);
    await app.api.delete('/admin/discord').set(app.admin).expect(200);
    expect(await isOffered()).toBe(0);
    expect((await interact(app, discord, anInteraction({ type: 1 }))).status).toBe(404);
  });

  it('overwrites no app, nor a bot token, that another owner saved meanwhile', async () => {
    const { app, discord } = await aGuild(dialect);
    const save = (based_on: string | null, bot_token: string) =>
      setUp(app, discord, { based_on, bot_token });
    await save(null, BOT_TOKEN).expect(200);
    const changed =
      'Another admin changed the Discord app, perhaps its bot token. Close this form and open it again.';
    expectRefusal(await save(null, BOT_TOKEN), 409, 'discord.appChanged', changed, {});
    app.setNow(new Date(Date.parse(NOW) + 1_000).toISOString());
    const theirs = 'another-token.of-the-other-owner_1';
    await save(NOW, theirs).expect(200);
    expectRefusal(await save(NOW, BOT_TOKEN), 409, 'discord.appChanged', changed, {});
    expect(
      await app.ctx.db.selectFrom('discord_app').select('bot_token').executeTakeFirst(),
    ).toEqual({ bot_token: theirs });
  });

  it('is for owners', async () => {
    const { app, discord } = await aGuild(dialect);
    for (const call of [
      app.api.get('/admin/discord'),
      setUp({ ...app, admin: { Authorization: '' } }, discord),
      app.api.post('/admin/discord/register'),
    ])
      expect((await call).status).toBe(401);
  });
});

/** Sends the head of an interaction whose announced body never comes. @returns the status of the answer */
async function statusWithoutBody(
  { url }: TestApp,
  headers: Record<string, string>,
): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const lines = Object.entries({ Host: 'board.example', 'Content-Length': '9000', ...headers }).map(
    (header) => header.join(': '),
  );
  socket.write(`POST /api/discord/interactions HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  const [bytes] = await once(socket, 'data');
  return String(bytes).slice(9, 12);
}

describe.each(databases)('the app that interactions are checked by on %s', (dialect) => {
  it('is known without its body: none is read without an app, nor without headers that could sign it', async () => {
    const { app, discord } = await aGuild(dialect);
    const signed = discord.signed('', app.ctx.now());
    expect(await statusWithoutBody(app, signed)).toBe('404');
    await setUp(app, discord).expect(200);
    const signature = 'x-signature-ed25519';
    const timestamp = 'x-signature-timestamp';
    for (const [name, value] of [
      [signature, ''],
      [signature, 'zz'],
      [timestamp, 'soon'],
      [timestamp, '1'],
    ] as const)
      expect(await statusWithoutBody(app, { ...signed, [name]: value })).toBe('401');
  });

  it('is the one that is saved now', async () => {
    const { app, discord } = await aGuild(dialect);
    await setUp(app, discord).expect(200);
    const ping = async () => (await interact(app, discord, anInteraction({ type: 1 }))).status;
    expect(await ping()).toBe(200);
    await setUp(app, discord, { public_key: (await startDiscord()).public_key }).expect(200);
    expect(await ping()).toBe(401);
    await setUp(app, discord).expect(200);
    expect(await ping()).toBe(200);
  });
});

it('an app that is removed on one server answers on no other', async () => {
  const database = await filledDatabase('postgres');
  onTestFinished(database.drop);
  const discord = await startDiscord();
  const options = {
    env: { DISCORD_API_URL: discord.url, ALLOW_PRIVATE_DESTINATIONS: '1' },
    on: database,
  } as const;
  const app = await createTestApp('postgres', options);
  const other = await createTestApp('postgres', options);
  await setUp(app, discord).expect(200);
  const ping = async () => (await interact(other, discord, anInteraction({ type: 1 }))).status;
  await expect.poll(ping).toBe(200);
  await expect
    .poll(
      async () =>
        (await app.api.get('/admin/discord').set(app.admin)).body.data.app.first_interaction_at,
    )
    .toBe(NOW);
  expect(await ping()).toBe(200);
  await app.api.delete('/admin/discord').set(app.admin).expect(200);
  await expect.poll(ping).toBe(404);
});

describe.each(usualDatabases)('interactions on %s', (dialect) => {
  it('answers a ping, notes the first signed one, and answers 401 to bad signatures', async () => {
    const { app, discord } = await aGuild(dialect);
    await setUp(app, discord).expect(200);
    const ping = anInteraction({ type: 1 });
    const bad = await app.api
      .post('/discord/interactions')
      .set(discord.signed('{}', app.ctx.now()))
      .send(ping);
    expectRefusal(bad, 401, 'discord.badSignature', 'The request is not signed by Discord.', {});
    const stale = await interactAt(app, discord, {
      interaction: ping,
      at: new Date(Date.parse(NOW) - 301_000),
    });
    expect(stale.status).toBe(401);
    expect(
      (await app.api.get('/admin/discord').set(app.admin)).body.data.app.first_interaction_at,
    ).toBeNull();
    expect((await interact(app, discord, ping).expect(200)).body).toEqual({ type: 1 });
    await vi.waitUntil(
      async () =>
        (await app.api.get('/admin/discord').set(app.admin)).body.data.app.first_interaction_at ===
        NOW,
    );
  });

  it('answers a ping without waiting for other writes, and although the first interaction can’t be noted', async () => {
    const { app, discord } = await aGuild(dialect);
    await setUp(app, discord).expect(200);
    const { promise, resolve } = Promise.withResolvers<void>();
    const writing = app.ctx.writes.transaction(() => promise);
    expect((await interact(app, discord, anInteraction({ type: 1 })).expect(200)).body).toEqual({
      type: 1,
    });
    resolve();
    await writing;
    // Of another application the first interaction is not noted yet.
    await setUp(app, discord, { application_id: '923456789012345678' }).expect(200);
    const fail = () =>
      vi.spyOn(app.ctx.writes, 'transaction').mockRejectedValueOnce(new Error('the disk is full'));
    fail();
    expect((await interact(app, discord, anInteraction({ type: 1 })).expect(200)).body).toEqual({
      type: 1,
    });
    fail();
    const command = aCommand('unlink', {}, { application_id: '923456789012345678' });
    const { body } = await interact(app, discord, command).expect(200);
    expect(body.data.content).toBe('No character is connected to Discord.');
  });

  it('checks the signature over the bytes as they arrived, before they are parsed', async () => {
    const { app, discord } = await aGuild(dialect);
    await setUp(app, discord).expect(200);
    const send = (body: string, signed = body) =>
      app.api
        .post('/discord/interactions')
        .set('Content-Type', 'application/json')
        .set(discord.signed(signed, app.ctx.now()))
        .send(body);
    const spaced = ` ${JSON.stringify(anInteraction({ type: 1 }), null, 2)}\n`.replace(
      '"token"',
      '"\\u0074oken"',
    );
    expect((await send(spaced).expect(200)).body).toEqual({ type: 1 });
    expect((await send(spaced, JSON.stringify(JSON.parse(spaced)))).status).toBe(401);
    expect((await send('{', '{}')).status).toBe(401);
    expect((await send('{')).status).toBe(400);
  });

  it('acknowledges what takes long in time, and sends the answer later, with its token in no log', async () => {
    const lines: string[] = [];
    const { app, discord } = await aGuild(dialect, { log: unredactedLog(lines) });
    await setUp(app, discord).expect(200);
    /** Sends it while another write keeps its own waiting. */
    const slow = async (interaction: object): Promise<object> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const writing = app.ctx.writes.transaction(() => promise);
      const { body } = await interact(app, discord, interaction).expect(200);
      resolve();
      await writing;
      return body;
    };
    expect(await slow(aCommand('unlink'))).toEqual({ type: 5, data: { flags: 64 } });
    await vi.waitUntil(() => discord.late.length === 1);
    expect(discord.late).toMatchObject([
      { isEdit: true, body: { content: 'No character is connected to Discord.' } },
    ]);
    // The stand-in refuses a later answer to an interaction that was not acknowledged.
    const later = `${discord.url}/webhooks/${APPLICATION_ID}/${anInteraction().token}/messages/@original`;
    expect(
      (await fetch(later, { method: 'PATCH', body: JSON.stringify({ content: 'Hello' }) })).status,
    ).toBe(404);
    // A refused button leaves its message as it is.
    const button = anInteraction({ type: 3, data: { custom_id: 'take|1|1' } });
    expect(await slow(button)).toEqual({ type: 6 });
    await vi.waitUntil(() => discord.late.length === 2);
    expect(discord.late[1]).toMatchObject({
      isEdit: false,
      body: { flags: 64, content: expect.stringMatching(/^Connect your character/) },
    });
    // An answer that overtakes its acknowledgement is sent once more; then it is given up.
    const sent = () => discord.calls.filter(({ path }) => path.includes('/webhooks/')).length;
    const before = sent();
    discord.refuseWith({ status: 404, body: { code: 10015 } });
    await slow(aCommand('unlink'));
    await vi.waitUntil(() => sent() === before + 1);
    discord.refuseWith(null);
    await vi.waitUntil(() => discord.late.length === 3, { timeout: 5_000 });
    discord.refuseWith({ status: 500 });
    await slow(aCommand('unlink'));
    await vi.waitUntil(() => lines.join('').includes('was not delivered'));
    expect(lines.join('')).not.toContain(INTERACTION_TOKEN);
  });

  it('accepts an interaction once, bounds its size, and knows its application', async () => {
    const { app, discord } = await aGuild(dialect);
    await setUp(app, discord).expect(200);
    const command = aCommand('unlink');
    await interact(app, discord, command).expect(200);
    expect((await interact(app, discord, command)).body).toMatchObject({
      code: 'discord.answeredAlready',
    });
    expect(
      (await interact(app, discord, aCommand('link', { code: 'x'.repeat(70_000) }))).status,
    ).toBe(413);
    expect(
      (await interact(app, discord, aCommand('unlink', {}, { application_id: '9' }))).status,
    ).toBe(400);
    expect((await interact(app, discord, [])).status).toBe(400);
  });

  it('suggests from memory, and not to one who asks too often', async () => {
    const { app, discord } = await aGuild(dialect);
    await setUp(app, discord).expect(200);
    const { code } = (
      await app.api.post('/discord/link-code').set(asMember(await aKey(app, 'Ann')))
    ).body.data;
    await interact(
      app,
      discord,
      aCommand('link', { code }, { locale: 'fr', guild_locale: 'fr' }),
    ).expect(200);
    const suggested = async (user: object = {}): Promise<object[]> => {
      const options = [{ name: 'spot', value: 'a', focused: true }];
      const typing = anInteraction({
        type: 4,
        data: { name: 'spot', options },
        locale: 'fr',
        guild_locale: 'fr',
        ...user,
      });
      return (await interact(app, discord, typing).expect(200)).body.data.choices;
    };
    expect(await suggested()).not.toEqual([]);
    const reads = [vi.spyOn(app.ctx.db, 'selectFrom'), vi.spyOn(app.ctx.db, 'transaction')];
    for (let n = 1; n < SUGGESTIONS_IN_WINDOW; n += 1) expect(await suggested()).not.toEqual([]);
    for (const read of reads) expect(read).not.toHaveBeenCalled();
    expect(await suggested()).toEqual([]);
    expect(
      (await interact(app, discord, aCommand('unlink')).expect(200)).body.data.content,
    ).toContain('Ann');
  });

  it('refuses with a sentence in the user’s language: another server, unknown commands, too many', async () => {
    const { app, discord } = await aGuild(dialect);
    await setUp(app, discord).expect(200);
    const reply = async (interaction: object): Promise<unknown> => {
      const { body } = await interact(app, discord, interaction).expect(200);
      expect(body).toMatchObject({ type: 4, data: { flags: 64 } });
      return body.data.content;
    };
    expect(await reply(aCommand('unlink', {}, { guild_id: '1' }))).toBe(
      'This app belongs to another Discord server.',
    );
    expect(await reply(aCommand('dance'))).toBe(
      'This command is not known. Reload Discord and try again.',
    );
    expect(await reply(aCommand('unlink', {}, { locale: 'es-ES' }))).toBe(
      'Ningún personaje está conectado a Discord.',
    );
    expect(await reply(aCommand('unlink', {}, { locale: 'fr', guild_locale: 'pt-BR' }))).toBe(
      'Nenhum personagem está conectado ao Discord.',
    );
    app.setNow(new Date(Date.parse(NOW) + 10_000).toISOString());
    // In a direct message there is no server: the language of the guild's channels, and then that of an earlier command.
    const inDirect = (locale: string) => ({ locale, guild_id: undefined, guild_locale: undefined });
    expect(await reply(aCommand('unlink', {}, inDirect('fr')))).toBe(
      'No character is connected to Discord.',
    );
    await aDestination(app, { language: 'pt' });
    expect(await reply(aCommand('unlink', {}, inDirect('fr')))).toBe(
      'Nenhum personagem está conectado ao Discord.',
    );
    const { code } = (
      await app.api.post('/discord/link-code').set(asMember(await aKey(app, 'Ann')))
    ).body.data;
    await reply(aCommand('link', { code }, inDirect('es-ES')));
    expect(await reply(aCommand('dance', {}, inDirect('fr')))).toMatch(
      /^No se conoce este comando/,
    );
    for (let n = 4; n < 10; n += 1) await reply(aCommand('unlink'));
    expect(await reply(aCommand('unlink'))).toMatch(/Too many/);
  });
});
