import { describe, expect, it } from 'vitest';
import { aKey, asMember } from '../../dev/test/builders.ts';
import { databases, filledDatabase } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { aCommand, type Discord, interact, setUp, startDiscord, THORA } from './test/stand-in.ts';

type Key = Awaited<ReturnType<typeof aKey>>;
const WRONG =
  'This code is wrong or has expired. Get a new one on the board: profile menu, Connect Discord.';

describe.each(databases)('linking a character to Discord on %s', (dialect) => {
  const aGuild = async (): Promise<{ app: TestApp; discord: Discord; ann: Key }> => {
    const discord = await startDiscord();
    const app = await createTestApp(dialect, {
      env: { DISCORD_API_URL: discord.url, ALLOW_PRIVATE_DESTINATIONS: '1' },
    });
    await setUp(app, discord).expect(200);
    return { app, discord, ann: await aKey(app, 'Ann') };
  };
  const codeOf = async (
    { api }: TestApp,
    key: Key,
  ): Promise<{ code: string; expires_at: string }> =>
    (await api.post('/discord/link-code').set(asMember(key)).expect(201)).body.data;
  const linkOf = async ({ api }: TestApp, key: Key) =>
    (await api.get('/discord/links').set(asMember(key)).expect(200)).body.data.link;
  const say = async (
    app: TestApp,
    discord: Discord,
    name: string,
    options: Record<string, string> = {},
    change: object = {},
  ) =>
    (await interact(app, discord, aCommand(name, options, change)).expect(200)).body.data.content;

  it('connects by a code that works once, and shows admins who is linked', async () => {
    const { app, discord, ann } = await aGuild();
    const { code, expires_at } = await codeOf(app, ann);
    expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/);
    expect(Date.parse(expires_at) - Date.parse(NOW)).toBe(600_000);
    const typed = `${code.slice(0, 4).toLowerCase()} ${code.slice(4)}`;
    expect(await say(app, discord, 'link', { code: typed })).toBe(
      'Connected: Ann. You can now claim from Discord.',
    );
    expect(await linkOf(app, ann)).toEqual({
      discord_user_id: THORA.id,
      discord_name: 'Thora',
      linked_at: NOW,
      messages_closed_at: null,
    });
    const keys = await app.api.get('/admin/access-keys').set(app.admin).expect(200);
    expect(keys.body.data).toEqual([
      expect.objectContaining({ character_name: 'Ann', discord_name: 'Thora' }),
    ]);
    expect(JSON.stringify(keys.body)).not.toContain(code);
    expect(await say(app, discord, 'link', { code })).toBe(WRONG);
    const log = JSON.stringify((await app.api.get('/admin/activity-log').set(app.admin)).body);
    expect(log).toContain('discord_linked');
    expect(log).not.toContain(code);
  });

  it('replaces the link of a character, and lets one user have several', async () => {
    const { app, discord, ann } = await aGuild();
    const bob = await aKey(app, 'Bob');
    for (const key of [ann, bob])
      await say(app, discord, 'link', { code: (await codeOf(app, key)).code });
    const other = { member: { user: { id: '423456789012345678', username: 'orik' } } };
    await say(app, discord, 'link', { code: (await codeOf(app, ann)).code }, other);
    expect((await linkOf(app, ann)).discord_name).toBe('orik');
    expect(await say(app, discord, 'unlink')).toBe('Disconnected: Bob.');
    expect([(await linkOf(app, ann))?.discord_name, await linkOf(app, bob)]).toEqual([
      'orik',
      null,
    ]);
  });

  it('refuses a code that expired or was replaced, and a user who guesses', async () => {
    const { app, discord, ann } = await aGuild();
    const { code: replaced } = await codeOf(app, ann);
    const { code } = await codeOf(app, ann);
    expect(await say(app, discord, 'link', { code: replaced })).toBe(WRONG);
    app.setNow(new Date(Date.parse(NOW) + 600_000).toISOString());
    expect(await say(app, discord, 'link', { code })).toBe(WRONG);
    for (let n = 1; n < 5; n += 1)
      expect(await say(app, discord, 'link', { code: '22222222' })).toBe(WRONG);
    const right = (await codeOf(app, ann)).code;
    expect(await say(app, discord, 'link', { code: right })).toMatch(/Too many/);
    app.setNow(new Date(Date.parse(NOW) + 600_000 + 600_001).toISOString());
    expect(await say(app, discord, 'link', { code: (await codeOf(app, ann)).code })).toMatch(
      /^Connected/,
    );
  });

  it('evaluates five wrong codes, also of many at once on several servers', async () => {
    const discord = await startDiscord();
    const options = {
      on: await filledDatabase(dialect),
      env: { DISCORD_API_URL: discord.url, ALLOW_PRIVATE_DESTINATIONS: '1' },
    } as const;
    const one = await createTestApp(dialect, options);
    // Two servers share one database of PostgreSQL's only.
    const other = dialect === 'postgres' ? await createTestApp(dialect, options) : one;
    await setUp(one, discord).expect(200);
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, nth) =>
        say(nth % 2 === 0 ? one : other, discord, 'link', { code: '22222222' }),
      ),
    );
    expect(answers.filter((text) => text === WRONG)).toHaveLength(5);
    expect(answers.filter((text) => /^Too many/.test(text))).toHaveLength(4);
  });

  it.each([
    [
      'revoked',
      (app: TestApp, { id }: Key) =>
        app.api.put(`/admin/access-keys/${id}/revoke`).set(app.admin).send({}),
    ],
    [
      'banned',
      (app: TestApp) =>
        app.api.post('/admin/ban-character').set(app.admin).send({ character_name: 'Ann' }),
    ],
    [
      'deleted',
      (app: TestApp, { id }: Key) => app.api.delete(`/admin/access-keys/${id}`).set(app.admin),
    ],
  ])('ends when the key is %s', async (_, end) => {
    const { app, discord, ann } = await aGuild();
    await say(app, discord, 'link', { code: (await codeOf(app, ann)).code });
    await end(app, ann).expect(200);
    expect(await say(app, discord, 'unlink')).toBe('No character is connected to Discord.');
    const linked = await app.ctx.db
      .selectFrom('access_keys')
      .select('discord_user_id')
      .where('discord_user_id', 'is not', null)
      .execute();
    expect(linked).toEqual([]);
  });

  it('is ended by the member, and needs an app', async () => {
    const { app, discord, ann } = await aGuild();
    const end = () => app.api.delete('/discord/links').set(asMember(ann));
    expectRefusal(
      await end(),
      404,
      'discord.notLinked',
      'No character is connected to Discord.',
      {},
    );
    await say(app, discord, 'link', { code: (await codeOf(app, ann)).code });
    await end().expect(200);
    expect(await linkOf(app, ann)).toBeNull();
    await app.api.delete('/admin/discord').set(app.admin).expect(200);
    expectRefusal(
      await app.api.post('/discord/link-code').set(asMember(ann)),
      404,
      'discord.notSetUp',
      'The Discord app is not set up.',
      {},
    );
    expect((await app.api.post('/discord/link-code')).status).toBe(401);
  });
});
