import type { Logger } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import { handover, holders, swap } from '../../board/transfers/test/transfers.ts';
import {
  aClaim,
  aDestination,
  aKey,
  anActiveEvent,
  asMember,
  aWait,
  submitted,
} from '../../dev/test/builders.ts';
import { databases, usualDatabases } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { runNow } from '../../dev/test/jobs.ts';
import { answering, aReceiver } from '../../dev/test/receiver.ts';
import { createTestApp, NOW, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { watching } from '../../dev/test/watching.ts';
import { timeOf } from '../push/test/due.ts';
import { aPushService } from '../push/test/push-service.ts';
import { forgetDirectMessages } from './direct-messages.ts';
import {
  aCommand,
  anInteraction,
  BOT_TOKEN,
  type DirectMessage,
  type Discord,
  INTERACTION_TOKEN,
  interact,
  setUp,
  startDiscord,
  THORA,
  unredactedLog,
} from './test/stand-in.ts';

vi.setConfig({ testTimeout: 60_000 });

const at = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();
const unix = (iso: string): number => Date.parse(iso) / 1_000;
/** SS+11 of today begins 12:00 Pacific time. */
const BEGINS = 120;

interface Guild {
  app: TestApp;
  discord: Discord;
  comes: (iso: string) => Promise<void>;
  /** Linked to Thora's Discord. */
  ann: AccessKey;
  bob: AccessKey;
}

/** @param isPublic whether it has a PUBLIC_URL, from which alone boards may be watched */
async function aGuild(
  dialect: (typeof databases)[number],
  config: object = {},
  isPublic = true,
  log?: Logger,
): Promise<Guild> {
  const discord = await startDiscord();
  const url = isPublic ? { PUBLIC_URL: 'https://board.example' } : {};
  const env = { DISCORD_API_URL: discord.url, ALLOW_PRIVATE_DESTINATIONS: '1', ...url } as const;
  const app = await createTestApp(dialect, { env, ...(log ? { context: { log } } : {}) });
  await setUp(app, discord).expect(200);
  await app.api.put('/admin/config').set(app.admin).send(config).expect(200);
  const ann = await aKey(app, 'Ann');
  const bob = await aKey(app, 'Bob');
  await link({ app, discord }, ann);
  return { app, discord, comes: timeOf(app), ann, bob };
}

async function link(
  { app, discord }: Pick<Guild, 'app' | 'discord'>,
  key: AccessKey,
  change: object = {},
): Promise<void> {
  const { code } = (await app.api.post('/discord/link-code').set(asMember(key)).expect(201)).body
    .data;
  await interact(app, discord, aCommand('link', { code }, change)).expect(200);
}

/** Bob's hours, which come free and are held for Ann for ten minutes. */
async function aHold({ app, ann, bob }: Guild): Promise<ClaimRow> {
  const [claim] = await submitted(app, bob, aClaim(bob));
  if (!claim) throw new Error('no claim');
  await aWait(app, ann);
  await app.api.delete(`/admin/claims/${claim.id}`).set(app.admin).expect(200);
  return claim;
}

const prefer = ({ app, ann }: Guild, fields: object) =>
  app.api.put('/push/preferences').set(asMember(ann)).send(fields).expect(200);
const linkState = async ({ app, ann }: Guild) =>
  (await app.api.get('/discord/links').set(asMember(ann)).expect(200)).body.data.link;
const only = ({ discord: { messages } }: Pick<Guild, 'discord'>): DirectMessage => {
  expect(messages).toHaveLength(1);
  const [message] = messages;
  if (!message) throw new Error('no message');
  return message;
};
const buttonsOf = ({ components }: Pick<DirectMessage, 'components'>) =>
  components.flatMap((row) => row.components);
const customId = (message: Pick<DirectMessage, 'components'>, label: string): string =>
  buttonsOf(message).find((button) => button.label === label)?.custom_id ?? `no button ${label}`;

/** Presses a button below a direct message, as Discord sends it. */
const press = async ({ app, discord }: Guild, message: DirectMessage, label: string) => {
  const data = { custom_id: customId(message, label) };
  const pressed = anInteraction({
    type: 3,
    guild_id: undefined,
    member: undefined,
    user: THORA,
    message: { id: message.id },
    data,
  });
  const { body } = await interact(app, discord, pressed).expect(200);
  return body;
};

const openWait = async ({ app, ann }: Guild): Promise<number> =>
  (await app.api.get('/waits').set(asMember(ann)).expect(200)).body.data[0].id;
const declineHold = async (guild: Guild): Promise<void> => {
  const wait = await openWait(guild);
  await guild.app.api.post(`/waits/${wait}/decline`).set(asMember(guild.ann)).send({}).expect(200);
};

describe.each(databases)('direct messages on %s', (dialect) => {
  it('offer a hold, which is taken in Discord and seen on a watching board', async () => {
    const guild = await aGuild(dialect, {}, false);
    const { member } = await watching(guild.app);
    await guild.comes(at(1));
    await aHold(guild);
    await guild.comes(at(1));
    const message = only(guild);
    expect(message.user_id).toBe(THORA.id);
    expect(message.content).toMatch(
      /^\*\*Held for you: .+\*\*\nAnn: <t:\d+:D>, <t:\d+:t> to <t:\d+:t> \(SS\+10 to SS\+14\)\. Take or decline it by/,
    );
    expect(message.content).toContain(`<t:${unix(at(11))}:t> (<t:${unix(at(11))}:R>)`);
    expect(buttonsOf(message).map(({ label }) => label)).toEqual(['Take hours', 'Decline']);

    const decline = { ...message };
    const answer = await press(guild, message, 'Take hours');
    expect(answer).toMatchObject({
      type: 7,
      data: { content: expect.stringContaining('**Ann** claimed'), components: [] },
    });
    await member.reached(guild.app.ctx.bus.clock());
    expect([...member.records('claim').values()]).toEqual([
      expect.objectContaining({ character_name: 'Ann', is_held: 0 }),
    ]);
    // The button's answer is in the message: it is not edited again.
    await guild.comes(at(2));
    expect(message.edits).toBe(0);
    expect(await guild.app.ctx.db.selectFrom('direct_messages').selectAll().execute()).toEqual([]);
    expect((await press(guild, decline, 'Decline')).data.content).toBe(
      'This button no longer applies. Use /mine to see what is current.',
    );
  });

  it.each([
    [
      'taken',
      'You took these hours.',
      ({ app, ann }: Guild, id: number) =>
        app.api.post(`/waits/${id}/accept`).set(asMember(ann)).send({}),
    ],
    [
      'declined',
      'You declined. The hours go to the next on the waitlist.',
      ({ app, ann }: Guild, id: number) =>
        app.api.post(`/waits/${id}/decline`).set(asMember(ann)).send({}),
    ],
    [
      'left',
      'You left the waitlist.',
      ({ app, ann }: Guild, id: number) => app.api.delete(`/waits/${id}`).set(asMember(ann)),
    ],
  ])('are edited when a hold is %s on the board', async (_, text, act) => {
    const guild = await aGuild(dialect);
    await aHold(guild);
    await guild.comes(at(1));
    await act(guild, await openWait(guild)).expect(200);
    await guild.comes(at(2));
    const message = only(guild);
    expect(message.content).toMatch(/^\*\*Held for you: .+\*\*\n/);
    expect([message.content.split('\n')[1], message.components, message.edits]).toEqual([
      text,
      [],
      1,
    ]);
    expect(await guild.app.ctx.db.selectFrom('direct_messages').selectAll().execute()).toEqual([]);
  });

  it('are edited when a hold expires', async () => {
    const guild = await aGuild(dialect);
    await aHold(guild);
    await guild.comes(at(0));
    await guild.comes(at(11));
    await guild.comes(at(12));
    expect(only(guild).content).toContain(
      'Not answered in time. The hours went to the next on the waitlist.',
    );
    expect(only(guild).components).toEqual([]);
  });

  it('are edited when a hold expired while the server was away and Discord is not back at once', async () => {
    const guild = await aGuild(dialect);
    await aHold(guild);
    await guild.comes(at(0));
    guild.app.setNow(at(3 * 1_440));
    await runNow(guild.app, forgetDirectMessages);
    guild.discord.refuseWith({ status: 503 });
    for (const minutes of [0, 1]) await guild.comes(at(3 * 1_440 + minutes));
    guild.discord.refuseWith(null);
    await guild.comes(at(3 * 1_440 + 10));
    expect(only(guild).components).toEqual([]);
  });

  it('ask to confirm a claim of before the active event, and its buttons and /mine act on it', async () => {
    const guild = await aGuild(dialect, { confirm_enabled: 1, release_enabled: 1 });
    const { app, discord, ann, bob } = guild;
    const [claim] = await submitted(app, ann, aClaim(ann, { hour_start: 11, hour_end: 13 }));
    const [missed] = await submitted(
      app,
      bob,
      aClaim(bob, { respawn_id: 2, hour_start: 11, hour_end: 13 }),
    );
    await anActiveEvent(app);
    await guild.comes(at(BEGINS - 15));
    const message = only(guild);
    expect(buttonsOf(message).map(({ label }) => label)).toEqual([
      "I'm here",
      'Release',
      'Open board',
    ]);
    const question = await press(guild, message, 'Release');
    expect(question.data.content).toMatch(/^Release /);
    const mine = (await interact(app, discord, aCommand('mine')).expect(200)).body.data;
    expect(mine.content).toContain('SS+11 to SS+13');
    expect(buttonsOf(mine).map(({ label }) => label)).toEqual(["1 · I'm here", '1 · Release']);
    // What the direct message tells the member to do, the board's page can do as well.
    const own = (await app.api.get('/claims/mine').set(asMember(ann)).expect(200)).body.data;
    expect(own).toMatchObject([{ id: claim?.id, to_confirm: [1] }]);
    expect((await press(guild, message, "I'm here")).data).toMatchObject({
      content: 'Claim confirmed. Good hunt!',
      components: [],
    });
    await guild.comes(at(BEGINS + 11));
    const left = await app.ctx.db.selectFrom('claims').select('id').execute();
    expect(left).toEqual([{ id: claim?.id }]);
    // The member who did not come reads why.
    const { endings } = (await app.api.get('/endings/mine').set(asMember(bob)).expect(200)).body
      .data;
    expect(endings).toMatchObject([{ claim_id: missed?.id, reason: 'no_show' }]);
  });

  it('ask to confirm, before and at the start, and take the answer', async () => {
    const guild = await aGuild(dialect, {
      confirm_enabled: 1,
      grace_minutes: 20,
      release_enabled: 1,
    });
    const [claim] = await submitted(
      guild.app,
      guild.ann,
      aClaim(guild.ann, { hour_start: 11, hour_end: 13 }),
    );
    await guild.comes(at(BEGINS - 15));
    const first = only(guild);
    expect(first.content).toMatch(/^\*\*Confirm now: .+\*\*\nAnn: starts in 15 minutes/);
    expect(buttonsOf(first).map(({ label }) => label)).toEqual([
      "I'm here",
      'Release',
      'Open board',
    ]);
    await guild.comes(at(BEGINS));
    // The second takes the place of the first.
    const second = only(guild);
    expect(second.id).not.toBe(first.id);
    expect(second.content).toContain('Ann: your hunt has started');
    expect((await press(guild, second, "I'm here")).data).toMatchObject({
      content: 'Claim confirmed. Good hunt!',
      components: [],
    });
    const parts = await guild.app.ctx.db
      .selectFrom('claim_parts')
      .select('to_confirm')
      .where('claim_id', '=', claim?.id ?? 0)
      .execute();
    expect(parts).toEqual([{ to_confirm: 0 }]);
  });

  it('ask before hours are released, and say how a claim to confirm ended elsewhere', async () => {
    const guild = await aGuild(dialect, {
      confirm_enabled: 1,
      grace_minutes: 20,
      release_enabled: 1,
    });
    const { app, ann } = guild;
    const ends: [string, (id: number) => Promise<unknown>][] = [
      [
        'Claim confirmed. Good hunt!',
        async (id) => app.api.post(`/claims/${id}/confirm`).set(asMember(ann)).send({}).expect(200),
      ],
      [
        'Released.',
        async (id) => app.api.post(`/claims/${id}/release`).set(asMember(ann)).send({}).expect(200),
      ],
      [
        'This claim has changed. See the board.',
        async (id) => app.api.delete(`/admin/claims/${id}`).set(app.admin).expect(200),
      ],
      [
        "You don't have to confirm this claim any more.",
        async () =>
          app.api.put('/admin/config').set(app.admin).send({ confirm_enabled: 0 }).expect(200),
      ],
    ];
    for (const [nth, [text, end]] of ends.entries()) {
      const date = new Date(Date.parse(TODAY) + nth * 86_400_000).toISOString().slice(0, 10);
      const [claim] = await submitted(
        app,
        ann,
        aClaim(ann, { hour_start: 11, hour_end: 13, date }),
      );
      await guild.comes(at(nth * 1_440 + BEGINS - 14));
      const message = guild.discord.messages.at(-1);
      if (!message || !claim) throw new Error('no message');
      const { data } = await press(guild, message, 'Release');
      expect(data.content).toMatch(/^Release .+\? Others can claim the hours then\.$/);
      await end(claim.id);
      await guild.comes(at(nth * 1_440 + BEGINS - 13));
      expect([message.content.split('\n')[1], message.components]).toEqual([text, []]);
    }
  });

  it('say that a claim was not confirmed in time', async () => {
    const guild = await aGuild(dialect, { confirm_enabled: 1, grace_minutes: 20 });
    await submitted(guild.app, guild.ann, aClaim(guild.ann, { hour_start: 11, hour_end: 13 }));
    for (const minutes of [-15, 0, 21, 22]) await guild.comes(at(BEGINS + minutes));
    expect(only(guild).content.split('\n')[1]).toBe(
      'Not confirmed in time. Others can claim the hours now.',
    );
  });

  it('R9.29: say after a no-show how many there are, before the limit and at it', async () => {
    const guild = await aGuild(dialect, { confirm_enabled: 1, no_show_limit: 2 });
    const lines: (string | undefined)[] = [];
    for (const day of [0, 1]) {
      const date = new Date(Date.parse(TODAY) + day * 86_400_000).toISOString().slice(0, 10);
      await submitted(
        guild.app,
        guild.ann,
        aClaim(guild.ann, { hour_start: 11, hour_end: 13, date }),
      );
      for (const minutes of [-15, 0, 11, 12]) await guild.comes(at(day * 1_440 + BEGINS + minutes));
      lines.push(guild.discord.messages.at(-1)?.content.split('\n')[1]);
    }
    expect(lines[0]).toBe(
      "Not confirmed in time. Others can claim the hours now. 1 missed claim in 14 days; at 2 you can't claim for 3 days.",
    );
    expect(lines[1]).toMatch(
      /^Not confirmed in time\. Others can claim the hours now\. You missed 2 claims\. You can claim again from <t:\d+:f>\./,
    );
  });

  it.each([
    ['accepted', 'Accept', /^You accepted\. \*\*.+\*\*, .+, now belongs to \*\*Ann\*\*\.$/, 'Ann'],
    ['refused', 'Decline', /^You declined\. The claim stays with Bob\.$/, 'Bob'],
  ])('offer a claim of another member, which is %s in Discord', async (_, label, text, holder) => {
    const guild = await aGuild(dialect, { transfers_enabled: 1 });
    const { app, ann, bob } = guild;
    const [claim] = await submitted(app, bob, aClaim(bob, { hour_start: 11, hour_end: 13 }));
    await handover(app, bob, { claim_id: claim?.id ?? 0, to: ann }).expect(201);
    await guild.comes(at(1));
    const message = only(guild);
    expect(message.content).toMatch(
      /^\*\*Bob offers you a claim: .+\*\*\nAnn: <t:\d+:D>, .+\. Accept or decline it by <t:\d+:t> \(<t:\d+:R>\)\.$/,
    );
    expect(buttonsOf(message).map((each) => each.label)).toEqual([
      'Accept',
      'Decline',
      'Open board',
    ]);
    const offered = { ...message };
    expect((await press(guild, message, label)).data).toMatchObject({
      content: expect.stringMatching(text),
      components: [],
    });
    expect(await holders(app, 1)).toEqual([holder]);
    await guild.comes(at(2));
    expect(message.edits).toBe(0);
    // Pressed again, it says that its moment has passed.
    expect((await press(guild, offered, label)).data.content).toMatch(/^This offer was already/);
  });

  it('say why an offered claim is no longer offered', async () => {
    const guild = await aGuild(dialect, { transfers_enabled: 1 });
    const { app, ann, bob } = guild;
    const offer = async (): Promise<number> => {
      const [claim] = await submitted(app, bob, aClaim(bob, { hour_start: 11, hour_end: 13 }));
      await handover(app, bob, { claim_id: claim?.id ?? 0, to: ann }).expect(201);
      return claim?.id ?? 0;
    };
    const ends: [string, (id: number) => PromiseLike<unknown>][] = [
      [
        'This offer was withdrawn.',
        async (id) => app.api.delete(`/transfers/${id}`).set(asMember(bob)).expect(200),
      ],
      [
        'This offer was already declined.',
        async (id) => app.api.post(`/transfers/${id}/refuse`).set(asMember(ann)).expect(200),
      ],
      [
        "Members can't hand over or swap claims right now.",
        async () =>
          app.api.put('/admin/config').set(app.admin).send({ transfers_enabled: 0 }).expect(200),
      ],
    ];
    for (const [nth, [text, end]] of ends.entries()) {
      const claim_id = await offer();
      await guild.comes(at(2 * nth));
      const message = guild.discord.messages.at(-1);
      const open = await app.ctx.db
        .selectFrom('transfers')
        .select('id')
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      await end(open?.id ?? 0);
      await guild.comes(at(2 * nth + 1));
      expect([message?.content.split('\n')[1], message?.components]).toEqual([text, []]);
      await app.api.delete(`/admin/claims/${claim_id}`).set(app.admin).expect(200);
    }
  });

  it('list offers in /mine, with buttons for both sides', async () => {
    const guild = await aGuild(dialect, { transfers_enabled: 1 });
    const { app, discord, ann, bob } = guild;
    const cid = await aKey(app, 'Cid');
    const [theirs] = await submitted(app, bob, aClaim(bob, { hour_start: 11, hour_end: 13 }));
    const [own] = await submitted(
      app,
      ann,
      aClaim(ann, { respawn_id: 2, hour_start: 11, hour_end: 13 }),
    );
    const [other] = await submitted(app, ann, aClaim(ann, { respawn_id: 3, date: '2026-11-23' }));
    await swap(app, bob, { claim_id: theirs?.id ?? 0, for_claim_id: own?.id ?? 0 }).expect(201);
    await handover(app, ann, { claim_id: other?.id ?? 0, to: cid }).expect(201);
    const mine = async (locale: string) =>
      (await interact(app, discord, aCommand('mine', {}, { locale })).expect(200)).body.data;
    const { content, components } = await mine('en-US');
    expect(content).toMatch(
      /^1\. \*\*Bob offers you a swap\*\*: .+, .+, for .+\. Answer <t:\d+:R>\. \(Ann\)$/m,
    );
    expect(content).toMatch(/^\d\. Offered to Cid: .+\. Expires <t:\d+:R>\. \(Ann\)$/m);
    expect((await mine('es-ES')).content).toContain('te ofrece un intercambio');
    expect((await mine('pt-BR')).content).toContain('oferece uma troca');
    const pressed = (label: string) =>
      interact(
        app,
        discord,
        anInteraction({ type: 3, data: { custom_id: customId({ components }, label) } }),
      ).expect(200);
    const withdrawing =
      buttonsOf({ components }).find((each) => each.label.endsWith('Withdraw offer'))?.label ?? '';
    expect((await pressed(withdrawing)).body.data.content).toBe('Offer withdrawn.');
    expect((await pressed('1 · Accept')).body.data.content).toMatch(/now belongs to \*\*Ann\*\*/);
    expect([await holders(app, 1), await holders(app, 2)]).toEqual([['Ann'], ['Bob']]);
  });

  it('go out by the choices of the member, beside push and without it', async () => {
    const guild = await aGuild(dialect, { confirm_enabled: 0 });
    const service = await aPushService();
    const browser = await service.browser(guild.app, guild.ann);
    await prefer(guild, { hold_offered: 0 });
    await aHold(guild);
    await guild.comes(at(1));
    expect([guild.discord.messages.length, browser.received.length]).toEqual([1, 0]);
    await declineHold(guild);
    await prefer(guild, {
      hold_offered: 1,
      direct_hold_offered: 0,
      direct_hunt_begins: 1,
      direct_claim_changed: 1,
    });
    const [claim] = await submitted(
      guild.app,
      guild.bob,
      aClaim(guild.bob, { respawn_id: 2, date: '2026-11-22' }),
    );
    await aWait(guild.app, guild.ann, { respawn_id: 2, date: '2026-11-22' });
    await guild.app.api.delete(`/admin/claims/${claim?.id}`).set(guild.app.admin).expect(200);
    await guild.comes(at(2));
    expect([guild.discord.messages.length, browser.received.length]).toEqual([1, 1]);

    const [own] = await submitted(
      guild.app,
      guild.ann,
      aClaim(guild.ann, { hour_start: 11, hour_end: 13 }),
    );
    await guild.comes(at(BEGINS - 15));
    expect(guild.discord.messages[1]?.content).toMatch(
      /^\*\*Your hunt starts in 15 minutes\*\*\nAnn: /,
    );
    await guild.app.api.delete(`/admin/claims/${own?.id}`).set(guild.app.admin).expect(200);
    await guild.comes(at(BEGINS - 10));
    expect(guild.discord.messages[2]?.content).toMatch(
      /^\*\*An admin removed your claim\*\*\nAnn: /,
    );
    // Nothing to answer: nothing to edit.
    expect(await guild.app.ctx.db.selectFrom('direct_messages').selectAll().execute()).toEqual([]);
  });

  it('drop what Discord refuses, open a lost channel again, and forget old messages', async () => {
    const guild = await aGuild(dialect);
    const { app, discord } = guild;
    await aHold(guild);
    discord.refuseWith({ status: 400, body: { code: 50035 } });
    await guild.comes(at(1));
    discord.refuseWith(null);
    await guild.comes(at(2));
    expect(discord.messages).toEqual([]);
    expect(
      (await app.api.get('/admin/discord').set(app.admin).expect(200)).body.data.app.message_error,
    ).toBeNull();
    await app.ctx.writes.transaction((tx) =>
      tx
        .updateTable('access_keys')
        .set({ discord_channel_id: '1' })
        .where('character_name', '=', 'Ann')
        .execute(),
    );
    await declineHold(guild);
    await aHold(guild);
    await guild.comes(at(3));
    expect(only(guild).content).toContain('Held for you');
    app.setNow(at(8 * 1_440));
    await runNow(app, forgetDirectMessages);
    expect(await app.ctx.db.selectFrom('direct_messages').selectAll().execute()).toEqual([]);
  });

  it('are not edited for a user who is linked no more', async () => {
    const guild = await aGuild(dialect);
    const { ann } = guild;
    await aHold(guild);
    await guild.comes(at(1));
    await link(guild, ann, {
      member: { user: { id: '423456789012345678', username: 'mira', global_name: 'Mira' } },
    });
    await declineHold(guild);
    await guild.comes(at(2));
    expect(only(guild)).toMatchObject({ user_id: THORA.id, edits: 0 });
  });

  it('end with the link, and go to no member without one', async () => {
    const guild = await aGuild(dialect);
    const { app, ann, bob } = guild;
    // Changes to a claim are gathered for seconds: the message is still to be sent when the link ends.
    await prefer(guild, { direct_claim_changed: 1 });
    const [claim] = await submitted(app, ann, aClaim(ann));
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    await app.api.delete('/discord/links').set(asMember(ann)).expect(200);
    await guild.comes(at(1));
    expect(guild.discord.messages).toEqual([]);
    const test = (key: AccessKey) => app.api.post('/discord/test').set(asMember(key)).send({});
    expectRefusal(
      await test(bob),
      404,
      'discord.notLinked',
      'No character is connected to Discord.',
      {},
    );
    await app.api.delete('/admin/discord').set(app.admin).expect(200);
    expectRefusal(await test(ann), 404, 'discord.notSetUp', 'The Discord app is not set up.', {});
    expect((await app.api.post('/discord/test')).status).toBe(401);
  });
});

describe.each(usualDatabases)(
  'direct messages that Discord takes, refuses or delays, on %s',
  (dialect) => {
    it('respect quiet hours', async () => {
      const guild = await aGuild(dialect, { confirm_enabled: 0 });
      // From 10:00 to 12:00 of the time at which the test runs, in UTC 18:00 to 20:00.
      await prefer(guild, {
        quiet_from: '17:30',
        quiet_until: '19:46',
        time_zone: 'UTC',
        direct_hunt_begins: 1,
        direct_claim_changed: 1,
      });
      const [claim] = await submitted(guild.app, guild.ann, aClaim(guild.ann, { respawn_id: 3 }));
      await guild.app.api.delete(`/admin/claims/${claim?.id}`).set(guild.app.admin).expect(200);
      await submitted(guild.app, guild.ann, aClaim(guild.ann, { hour_start: 11, hour_end: 13 }));
      await guild.comes(at(BEGINS - 15));
      expect(guild.discord.messages).toEqual([]);
      await guild.comes(at(BEGINS - 13));
      expect(guild.discord.messages.map(({ content }) => content.split('\n')[0])).toEqual(
        expect.arrayContaining([
          '**An admin removed your claim**',
          '**Your hunt starts in 13 minutes**',
        ]),
      );
    });

    it('are in the language of the user’s Discord, in three languages', async () => {
      const guild = await aGuild(dialect);
      await interact(guild.app, guild.discord, aCommand('mine', {}, { locale: 'es-419' })).expect(
        200,
      );
      await aHold(guild);
      await guild.comes(at(1));
      expect(only(guild).content).toMatch(/^\*\*Guardado para ti: .+\*\*/);
      await interact(guild.app, guild.discord, aCommand('mine', {}, { locale: 'pt-BR' })).expect(
        200,
      );
      await guild.app.api.post('/discord/test').set(asMember(guild.ann)).send({}).expect(200);
      expect(guild.discord.messages.at(-1)?.content).toBe(
        'As mensagens diretas funcionam. Aqui você recebe os avisos de Ann.',
      );
    });

    it('are in the language of the guild’s members, else of its channels, where the user’s is not known', async () => {
      const guild = await aGuild(dialect);
      const { app, ann, bob } = guild;
      await app.ctx.writes.transaction((tx) =>
        tx
          .updateTable('access_keys')
          .set({ discord_language: null })
          .where('character_name', '=', 'Ann')
          .execute(),
      );
      const test = async (): Promise<string | undefined> => {
        await app.api.post('/discord/test').set(asMember(ann)).send({}).expect(200);
        return guild.discord.messages.at(-1)?.content;
      };
      expect(await test()).toBe('Direct messages work. You get notifications for Ann here.');
      await link(guild, bob, {
        member: { user: { id: '423456789012345678', username: 'mira' } },
        locale: 'es-ES',
      });
      expect(await test()).toMatch(/^Los mensajes directos funcionan/);
      await aDestination(app, { language: 'pt' });
      await aHold(guild);
      await guild.comes(at(1));
      expect(guild.discord.messages.at(-1)?.content).toMatch(/^\*\*Guardado para você: /);
    });

    it('follow the guild’s language as long as the user’s is not one of ours', async () => {
      const guild = await aGuild(dialect);
      const { app, discord, bob } = guild;
      const french = {
        member: { user: { id: '423456789012345678', username: 'mira' } },
        locale: 'fr',
        guild_locale: 'de',
      };
      const test = async (): Promise<string | undefined> => {
        await app.api.post('/discord/test').set(asMember(bob)).send({}).expect(200);
        return discord.messages.at(-1)?.content;
      };
      await link(guild, bob, french);
      await aDestination(app, { language: 'pt' });
      expect(await test()).toMatch(/^As mensagens diretas funcionam/);
      await interact(app, discord, aCommand('mine', {}, french)).expect(200);
      await app.ctx.writes.transaction((tx) =>
        tx.updateTable('channels').set({ language: 'es' }).execute(),
      );
      expect(await test()).toMatch(/^Los mensajes directos funcionan/);
      await interact(app, discord, aCommand('mine', {}, { ...french, locale: 'en-US' })).expect(
        200,
      );
      await interact(app, discord, aCommand('mine', {}, french)).expect(200);
      expect(await test()).toMatch(/^Direct messages work/);
    });

    it('tell the member that they are closed, and stop nothing else', async () => {
      const guild = await aGuild(dialect);
      const { app, discord, ann } = guild;
      const receiver = await aReceiver(answering(204));
      await aDestination(app, { url: receiver.url, events: ['hold.offered'] });
      const service = await aPushService();
      const browser = await service.browser(app, ann);
      discord.closed.add(THORA.id);
      await aHold(guild);
      await guild.comes(at(1));
      expect(await linkState(guild)).toMatchObject({
        discord_name: 'Thora',
        messages_closed_at: at(1),
      });
      expect(await browser.gets(1)).toMatchObject([{ kind: 'hold_offered' }]);
      await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
      // Not tried again for each notice.
      const sent = () =>
        discord.calls.filter(({ path, method }) => method === 'POST' && path.endsWith('/messages'))
          .length;
      expect(sent()).toBe(1);
      await declineHold(guild);
      await aHold(guild);
      await guild.comes(at(2));
      expect(sent()).toBe(1);
      // The member opens them, and tests it.
      const test = async () =>
        (await app.api.post('/discord/test').set(asMember(ann)).send({}).expect(200)).body.data;
      expect(await test()).toEqual({ outcome: 'closed' });
      // The user left the server that they shared with the app.
      discord.refuseWith({ status: 403, body: { code: 50278 } });
      expect(await test()).toEqual({ outcome: 'closed' });
      discord.refuseWith(null);
      discord.closed.clear();
      expect(await test()).toEqual({ outcome: 'sent' });
      expect(await linkState(guild)).toMatchObject({ messages_closed_at: null });
      expect(only(guild).content).toBe('Direct messages work. You get notifications for Ann here.');
    });

    it('wait while Discord is down, delay nothing else, and are not sent once their moment has passed', async () => {
      const guild = await aGuild(dialect, { confirm_enabled: 0 });
      const { app, discord, ann } = guild;
      const receiver = await aReceiver(answering(204));
      await aDestination(app, { url: receiver.url, events: ['hold.offered'] });
      const service = await aPushService();
      const browser = await service.browser(app, ann);
      await prefer(guild, { direct_claim_changed: 1 });
      discord.refuseWith({ status: 503 });
      const before = discord.calls.length;
      await aHold(guild);
      const [claim] = await submitted(app, ann, aClaim(ann, { respawn_id: 3, date: '2026-11-23' }));
      await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
      for (let minutes = 0; minutes <= 60; minutes += 1) await guild.comes(at(minutes));
      expect(browser.received).toHaveLength(2);
      expect(receiver.received).toHaveLength(1);
      // One attempt every five minutes, not one for each message and minute.
      expect(discord.calls.length - before).toBeLessThan(40);
      const { body } = await app.api.get('/admin/discord').set(app.admin).expect(200);
      expect(body.data.app.message_error).toBe('unreachable');
      discord.refuseWith(null);
      for (const minutes of [66, 67]) await guild.comes(at(minutes));
      // The hold expired meanwhile.
      expect(only(guild).content).toMatch(/^\*\*An admin removed your claim\*\*/);
      expect(
        (await app.api.get('/admin/discord').set(app.admin).expect(200)).body.data.app
          .message_error,
      ).toBeNull();
    });

    it('arrive once when the answer to the first attempt was lost', async () => {
      const guild = await aGuild(dialect);
      await aHold(guild);
      guild.discord.loseAnswers(true);
      await guild.comes(at(0));
      guild.discord.loseAnswers(false);
      await guild.comes(at(1));
      expect(only(guild).content).toContain('Held for you');
      expect(
        guild.discord.calls.filter(({ path }) => path.endsWith('/messages')).length,
      ).toBeGreaterThan(1);
    });

    it('ask the member no more whose claim went to another', async () => {
      const guild = await aGuild(dialect, {
        confirm_enabled: 1,
        grace_minutes: 20,
        transfers_enabled: 1,
      });
      const { app, ann, bob } = guild;
      const [claim] = await submitted(app, ann, aClaim(ann, { hour_start: 11, hour_end: 13 }));
      await guild.comes(at(BEGINS - 15));
      const message = only(guild);
      const { body } = await handover(app, ann, { claim_id: claim?.id ?? 0, to: bob }).expect(201);
      await app.api.post(`/transfers/${body.data.id}/accept`).set(asMember(bob)).expect(200);
      await guild.comes(at(BEGINS - 14));
      expect([message.content.split('\n')[1], message.components]).toEqual([
        'This claim has changed. See the board.',
        [],
      ]);
    });

    it('open channels of their own after a change of application', async () => {
      const guild = await aGuild(dialect);
      const test = () =>
        guild.app.api.post('/discord/test').set(asMember(guild.ann)).send({}).expect(200);
      const opened = () =>
        guild.discord.calls.filter(({ path }) => path.endsWith('/users/@me/channels')).length;
      await test();
      await setUp(guild.app, guild.discord).expect(200);
      await test();
      expect(opened()).toBe(1);
      await setUp(guild.app, guild.discord, { application_id: '923456789012345678' }).expect(200);
      await test();
      expect(opened()).toBe(2);
    });

    it('wait as long as Discord asks', async () => {
      const guild = await aGuild(dialect);
      guild.discord.refuseWith({
        status: 429,
        body: { message: 'You are being rate limited.', retry_after: 90.5, global: true },
      });
      await aHold(guild);
      await guild.comes(at(0));
      guild.discord.refuseWith(null);
      await guild.comes(at(1));
      expect(guild.discord.messages).toEqual([]);
      await guild.comes(at(2));
      expect(only(guild).content).toContain('Held for you');
    });

    it('are tested five times in five minutes', async () => {
      const guild = await aGuild(dialect);
      const test = () => guild.app.api.post('/discord/test').set(asMember(guild.ann)).send({});
      for (let n = 0; n < 5; n += 1) await test().expect(200);
      expect((await test()).status).toBe(429);
    });

    it('show no secret in what is sent, in answers, jobs, logs and the activity log', async () => {
      const lines: string[] = [];
      const guild = await aGuild(dialect, {}, true, unredactedLog(lines));
      const { app, discord, ann } = guild;
      await aHold(guild);
      await guild.comes(at(1));
      const answer = await press(guild, only(guild), 'Take hours');
      discord.refuseWith({ status: 400, body: { code: 50035, message: BOT_TOKEN } });
      await app.api.post('/discord/test').set(asMember(ann)).send({}).expect(200);
      for (const status of [401, 403, 404, 500]) {
        discord.refuseWith({ status });
        await setUp(app, discord).expect(200);
        await app.api.post('/discord/test').set(asMember(ann)).send({}).expect(200);
      }
      discord.refuseWith({ status: 400, body: { code: 50035, message: BOT_TOKEN } });
      await prefer(guild, { direct_claim_changed: 1 });
      const deletedClaim = async (date: string): Promise<void> => {
        const [claim] = await submitted(app, ann, aClaim(ann, { respawn_id: 3, date }));
        await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
      };
      await deletedClaim('2026-11-23');
      await guild.comes(at(2));
      expect(lines.join('\n')).toContain('Discord refused a direct message');
      // Outbound errors: the connection breaks, and then Discord is not there.
      discord.refuseWith(null);
      discord.loseAnswers(true);
      await deletedClaim('2026-11-24');
      await guild.comes(at(3));
      app.ctx.env.DISCORD_API_URL = 'http://127.0.0.1:1/api/v10';
      await setUp(app, discord).expect(200);
      await guild.comes(at(4));
      const log = (
        await app.api.get('/admin/activity-log').set(app.admin).query({ limit: 500 }).expect(200)
      ).body;
      const jobs = await app.ctx.db.selectFrom('jobs').selectAll().execute();
      const bodies = discord.calls.map(({ path, body }) => [path, body]);
      for (const text of [bodies, answer, log, jobs, discord.messages, lines].map((each) =>
        JSON.stringify(each),
      ))
        for (const secret of [ann.key_value, BOT_TOKEN, INTERACTION_TOKEN])
          expect(text).not.toContain(secret);
    });
  },
);
