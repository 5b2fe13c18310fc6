import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { DomainError } from '../../../shared/errors.ts';
import type { Dialect } from '../../db/database.ts';
import { aKey, asMember, changeUnheard } from '../../dev/test/builders.ts';
import { databases, usualDatabases } from '../../dev/test/databases.ts';
import { createTestApp, NOW, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { refusalText, sentencesIn } from '../../http/errors.ts';
import { languageOf } from './commands.ts';
import { ACTIONS } from './custom-ids.ts';
import { discordMemory } from './memory.ts';
import { spotValue } from './option-text.ts';
import {
  aCommand,
  anInteraction,
  type Discord,
  interact,
  setUp,
  startDiscord,
} from './test/stand-in.ts';

type Key = Awaited<ReturnType<typeof aKey>>;

interface Guild {
  app: TestApp;
  discord: Discord;
  ann: Key;
  bob: Key;
  spot: { id: number; name: string };
  spots: { id: number; name: string }[];
}

/** A message as Discord would show it. */
interface Reply {
  type: number;
  data: {
    content?: string;
    embeds?: { title: string; description: string; color?: number }[];
    components?: Row[];
    flags: number;
  };
}
interface Row {
  components: {
    custom_id?: string;
    label?: string;
    url?: string;
    options?: { value: string; label: string }[];
  }[];
}

const aGuild = async (dialect: Dialect): Promise<Guild> => {
  const discord = await startDiscord();
  const env = {
    DISCORD_API_URL: discord.url,
    ALLOW_PRIVATE_DESTINATIONS: '1',
    PUBLIC_URL: 'https://board.example',
  } as const;
  const app = await createTestApp(dialect, { env });
  await setUp(app, discord).expect(200);
  const ann = await aKey(app, 'Ann');
  const bob = await aKey(app, 'Bob');
  const { code } = (await app.api.post('/discord/link-code').set(asMember(ann)).expect(201)).body
    .data;
  await interact(app, discord, aCommand('link', { code })).expect(200);
  const spots = (await app.api.get('/respawns').set(asMember(ann)).expect(200)).body;
  return { app, discord, ann, bob, spot: spots[0], spots };
};
const command = async (
  { app, discord }: Guild,
  name: string,
  options: Record<string, string> = {},
  change: object = {},
): Promise<Reply> =>
  (await interact(app, discord, aCommand(name, options, change)).expect(200)).body;
const press = async (
  { app, discord }: Guild,
  custom_id: string,
  values: string[] = [],
  change: object = {},
): Promise<Reply> =>
  (
    await interact(
      app,
      discord,
      anInteraction({ type: 3, data: { custom_id, values }, ...change }),
    ).expect(200)
  ).body;
const suggested = async (
  { app, discord }: Guild,
  name: string,
  options: object[],
  change: object = {},
) =>
  (
    await interact(
      app,
      discord,
      anInteraction({ type: 4, data: { name, options }, ...change }),
    ).expect(200)
  ).body.data.choices;
const claimsOf = async ({ app, ann, spot }: Guild): Promise<{ id: number }[]> =>
  (await app.api.get('/respawns').set(asMember(ann))).body.find(
    ({ id }: { id: number }) => id === spot.id,
  ).claims;
const customIds = ({ data }: Reply): string[] =>
  (data.components ?? []).flatMap(({ components }) =>
    components.flatMap(({ custom_id }) => custom_id ?? []),
  );
const claimOfBob = ({ app, bob, spot }: Guild, hour_start: number, hour_end: number) =>
  app.api
    .post('/claims')
    .send({
      access_key: bob.key_value,
      claims: [{ respawn_id: spot.id, character_name: 'Bob', date: TODAY, hour_start, hour_end }],
    })
    .expect(201);

describe.each(databases)('Discord commands on %s', (dialect) => {
  it('claims with everything given, as the member and via Discord', async () => {
    const guild = await aGuild(dialect);
    const { data } = await command(guild, 'claim', {
      spot: spotValue(guild.spot),
      date: TODAY,
      start: '12',
      hours: '2',
    });
    expect(data.content).toContain('**Ann** claimed');
    expect(data.content).toContain('SS+12 to SS+14');
    expect(await claimsOf(guild)).toEqual([
      expect.objectContaining({ character_name: 'Ann', hour_start: 12, hour_end: 14 }),
    ]);
    const log = (await guild.app.api.get('/admin/activity-log').set(guild.app.admin).expect(200))
      .body.data;
    expect(JSON.stringify(log)).toContain('"actor_kind":"discord"');
    expect(JSON.stringify([log, data])).not.toContain(guild.ann.key_value);
  });

  it('lists the user’s own; releases and leaves only after a question', async () => {
    const guild = await aGuild(dialect);
    await guild.app.api
      .put('/admin/config')
      .set(guild.app.admin)
      .send({ release_enabled: 1 })
      .expect(200);
    expect((await command(guild, 'mine')).data.content).toMatch(/no upcoming claims/);
    await claimOfBob(guild, 12, 14);
    await command(guild, 'claim', {
      spot: spotValue(guild.spot),
      date: TODAY,
      start: '20',
      hours: '2',
    });
    const waiting = await command(guild, 'wait', {
      spot: spotValue(guild.spot),
      date: '2026-11-22',
      start: '3',
      hours: '2',
    });
    expect(waiting.data.content).toBeTruthy();
    const mine = await command(guild, 'mine');
    expect(mine.data.content).toContain('SS+20 to SS+22');
    const release = customIds(mine).find((id) => id.startsWith('release|')) ?? '';
    const question = await press(guild, release);
    expect(question.data.content).toMatch(/^Release /);
    expect(await claimsOf(guild)).toHaveLength(2);
    const [yes = '', keep = ''] = customIds(question);
    expect((await press(guild, keep)).data.content).toContain('SS+20 to SS+22');
    expect((await press(guild, yes)).data.content).toBe('Released.');
    expect(await claimsOf(guild)).toHaveLength(1);
    // A button whose moment has passed says so, in place of its message.
    expect(await press(guild, release)).toMatchObject({
      type: 7,
      data: { content: expect.stringContaining('no longer applies'), components: [] },
    });
  });

  it('ranks free spots by the categories that the character claimed most, the archive included', async () => {
    const guild = await aGuild(dialect);
    const { app, ann } = guild;
    const spots: { id: number; category_name: string | null }[] = (
      await app.api.get('/respawns').set(asMember(ann)).expect(200)
    ).body;
    const archived = spots.filter((each) => each.category_name !== null).at(-1);
    const recent = guild.spot;
    const common = {
      character_name: 'Ann',
      character_key: 'ann',
      member_type: 'member',
      event_id: null,
      created_at: NOW,
    };
    await changeUnheard(app, async (tx) => {
      for (const id of [901, 902, 903]) {
        const claim = {
          ...common,
          id,
          date: '2025-01-01',
          last_date: '2025-01-01',
          voucher_duration: 4,
          is_secondary_claim: 0,
          is_split_claim: 0,
        } as const;
        await tx
          .insertInto('archived_claims')
          .values({ ...claim, secondary_priority: 0 })
          .execute();
        const part = {
          claim_id: id,
          part_number: 1,
          respawn_id: archived?.id ?? 0,
          respawn_name: 'Spot',
          hour_start: 2,
          hour_end: 3,
        } as const;
        await tx
          .insertInto('archived_claim_parts')
          .values({ ...part, last_date: '2025-01-01' })
          .execute();
      }
    });
    const claims = [
      { respawn_id: recent.id, character_name: 'Ann', date: TODAY, hour_start: 20, hour_end: 22 },
    ];
    await app.api.post('/claims').send({ access_key: ann.key_value, claims }).expect(201);
    const { data } = await command(guild, 'free', { start: '12', hours: '2' });
    const listed = (data.components?.[0]?.components[0]?.options ?? []).map(({ value }) =>
      spots.find(({ id }) => String(id) === value),
    );
    const ofCategory = (name: string | null | undefined) =>
      spots.filter((each) => each.category_name === name).length;
    const first = Math.min(10, ofCategory(archived?.category_name));
    expect(new Set(listed.slice(0, first).map((each) => each?.category_name))).toEqual(
      new Set([archived?.category_name]),
    );
  });

  it('lists starred spots first, marked, then by the claimed categories, and claims one of them', async () => {
    const guild = await aGuild(dialect);
    const { app, ann, bob } = guild;
    const spots: { id: number; name: string; category_name: string | null }[] = (
      await app.api.get('/respawns').set(asMember(ann)).expect(200)
    ).body;
    const early = spots.at(-9);
    const late = spots.at(-1);
    if (!early || !late) throw new Error('the catalogue has spots');
    const star = (key: Key, ...respawn_ids: number[]) =>
      app.api.post('/stars').set(asMember(key)).send({ respawn_ids }).expect(200);
    await star(bob, guild.spot.id);
    const free = async () => {
      const reply = await command(guild, 'free', { start: '12', hours: '2' });
      const [, ...lines] = (reply.data.content ?? '').split('\n');
      return { reply, lines, options: reply.data.components?.[0]?.components[0]?.options ?? [] };
    };
    expect((await free()).lines.filter((line) => line.includes('★'))).toEqual([]);
    const claims = [
      {
        respawn_id: guild.spot.id,
        character_name: 'Ann',
        date: '2026-11-22',
        hour_start: 20,
        hour_end: 22,
      },
    ];
    await app.api.post('/claims').send({ access_key: ann.key_value, claims }).expect(201);
    await star(ann, late.id, early.id);
    const { reply, lines, options } = await free();
    const byName = [early, late].sort((a, b) => a.name.localeCompare(b.name));
    expect(options.slice(0, 2)).toEqual(
      byName.map(({ id, name }) => ({ value: String(id), label: `★ ${name}` })),
    );
    expect(lines.map((line) => line.startsWith('★ '))).toEqual([
      true,
      true,
      ...Array.from({ length: 8 }, () => false),
    ]);
    const third = spots.find(({ id }) => String(id) === options[2]?.value);
    expect(third?.category_name).toBe(spots.find(({ id }) => id === guild.spot.id)?.category_name);
    expect(
      (await press(guild, customIds(reply)[0] ?? '', [String(late.id)])).data.content,
    ).toContain('**Ann** claimed');
    // Taken by now.
    expect((await free()).lines.filter((line) => line.startsWith('★ '))).toHaveLength(1);
  });

  it('gives an offer to the one who takes it, once', async () => {
    const guild = await aGuild(dialect);
    const { body } = await claimOfBob(guild, 12, 14);
    await command(guild, 'wait', {
      spot: spotValue(guild.spot),
      date: TODAY,
      start: '12',
      hours: '2',
    });
    await guild.app.api.delete(`/admin/claims/${body.data[0].id}`).set(guild.app.admin).expect(200);
    const mine = await command(guild, 'mine');
    expect(mine.data.content).toContain('Held for you');
    const take = customIds(mine).find((id) => id.startsWith('take|')) ?? '';
    const [, wait_id = ''] = take.split('|');
    expect(await press(guild, `take|${wait_id}|999999`)).toMatchObject({
      type: 7,
      data: { content: expect.stringContaining('no longer applies') },
    });
    expect((await press(guild, take)).data.content).toContain('**Ann** claimed');
    expect((await press(guild, take)).data.content).toContain('no longer applies');
    expect(await claimsOf(guild)).toEqual([
      expect.objectContaining({ character_name: 'Ann', is_held: 0 }),
    ]);
  });

  it('lets one of two win who race for an hour, from Discord and from the board', async () => {
    const guild = await aGuild(dialect);
    const [fromDiscord, fromBoard] = await Promise.all([
      command(guild, 'claim', {
        spot: spotValue(guild.spot),
        date: TODAY,
        start: '12',
        hours: '2',
      }),
      guild.app.api.post('/claims').send({
        access_key: guild.bob.key_value,
        claims: [
          {
            respawn_id: guild.spot.id,
            character_name: 'Bob',
            date: TODAY,
            hour_start: 12,
            hour_end: 14,
          },
        ],
      }),
    ]);
    expect(fromBoard.status === 201).toBe(!fromDiscord.data.content?.includes('claimed'));
    expect(await claimsOf(guild)).toHaveLength(1);
  });
});

describe.each(usualDatabases)('answers to Discord commands on %s', (dialect) => {
  it('offers free starts, then durations, and claims the chosen hours', async () => {
    const guild = await aGuild(dialect);
    await claimOfBob(guild, 12, 14);
    const starts = await command(guild, 'claim', { spot: guild.spot.name.toUpperCase() });
    const [chooser = ''] = customIds(starts);
    const options = starts.data.components?.[0]?.components[0]?.options ?? [];
    expect(options.map(({ value }) => Number(value))).toEqual([
      9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
    ]);
    const durations = await press(guild, chooser, ['10']);
    expect(durations.type).toBe(7);
    expect(
      durations.data.components?.[0]?.components[0]?.options?.map(({ value }) => value),
    ).toEqual(['1', '2']);
    expect((await press(guild, customIds(durations)[0] ?? '', ['2'])).data.content).toContain(
      'SS+10 to SS+12',
    );
    expect(await claimsOf(guild)).toContainEqual(
      expect.objectContaining({ character_name: 'Ann', hour_start: 10, hour_end: 12 }),
    );
  });

  it('offers durations where only they are missing, and refuses a taken start', async () => {
    const guild = await aGuild(dialect);
    await claimOfBob(guild, 12, 14);
    const taken = await command(guild, 'claim', {
      spot: spotValue(guild.spot),
      date: TODAY,
      start: '13',
    });
    expect(taken.data.content).toMatch(/^Time conflict detected/);
    const durations = await command(guild, 'claim', {
      spot: spotValue(guild.spot),
      date: TODAY,
      start: '10',
    });
    expect(durations).toMatchObject({
      type: 4,
      data: { components: [{ components: [{ options: [{ value: '1' }, { value: '2' }] }] }] },
    });
    expect((await press(guild, customIds(durations)[0] ?? '', ['1'])).data.content).toContain(
      'SS+10 to SS+11',
    );
  });

  it('leads to the board where a list has more entries than fit', async () => {
    const guild = await aGuild(dialect);
    await guild.app.api
      .put('/admin/config')
      .set(guild.app.admin)
      .send({ release_enabled: 1 })
      .expect(200);
    const endOfList = async () => (await command(guild, 'mine')).data.content?.split('\n').at(-1);
    for (let nth = 0; nth < 6; nth += 1) {
      const date = new Date(Date.parse(TODAY) + nth * 86_400_000).toISOString().slice(0, 10);
      guild.app.setNow(new Date(Date.parse(NOW) + nth * 10_000).toISOString());
      await command(guild, 'claim', { spot: spotValue(guild.spot), date, start: '20', hours: '1' });
      if (nth === 4) expect(await endOfList()).toMatch(/^5\. /);
    }
    expect(await endOfList()).toBe('… [Open board](https://board.example/mine)');
  });

  it('answers refusals with the product’s own sentence, in the language of the reader', async () => {
    const guild = await aGuild(dialect);
    await claimOfBob(guild, 12, 14);
    const taken = { spot: spotValue(guild.spot), date: TODAY, start: '13', hours: '2' };
    const rest = await guild.app.api
      .post('/claims')
      .send({
        access_key: guild.ann.key_value,
        claims: [
          {
            respawn_id: guild.spot.id,
            character_name: 'Ann',
            date: TODAY,
            hour_start: 13,
            hour_end: 15,
          },
        ],
      })
      .expect(409);
    expect((await command(guild, 'claim', taken)).data.content).toContain(
      rest.body.error.slice(0, 12),
    );
    expect((await command(guild, 'claim', { spot: 'no such spot' })).data.content).toBe(
      'There is no spot named no such spot.',
    );
    expect(
      (await command(guild, 'claim', { spot: guild.spot.name, date: 'soon' }, { locale: 'pt-BR' }))
        .data.content,
    ).toContain('não é uma data');
    expect(
      (
        await command(
          guild,
          'claim',
          { spot: guild.spot.name, start: 'noon' },
          { locale: 'es-419' },
        )
      ).data.content,
    ).toContain('no es una hora');
    expect(
      (await command(guild, 'claim', { spot: guild.spot.name, character: 'Bob' })).data.content,
    ).toContain('not connected');
    const stranger = { member: { user: { id: '423456789012345678', username: 'orik' } } };
    for (const name of ['claim', 'spot', 'free', 'mine', 'wait'])
      expect(
        (await command(guild, name, { spot: guild.spot.name }, stranger)).data.content,
      ).toContain('/link');
  });

  it('shows a spot’s day with buttons to claim, to wait and to open the board', async () => {
    const guild = await aGuild(dialect);
    await claimOfBob(guild, 12, 14);
    const reply = await command(guild, 'spot', { spot: guild.spot.name });
    expect(reply.data.flags).toBe(64);
    const [embed] = reply.data.embeds ?? [];
    expect(embed?.description).toContain('·········░░░██░░░░░░░░░░');
    expect(embed?.description).toContain('**Bob**');
    expect(embed?.color).toBeGreaterThan(0);
    const urls = reply.data.components?.flatMap(({ components }) =>
      components.flatMap(({ url }) => url ?? []),
    );
    expect(urls).toEqual([expect.stringContaining('https://board.example/?date=')]);
    const [claim = '', join = ''] = customIds(reply);
    expect(
      (await press(guild, claim)).data.components?.[0]?.components[0]?.options?.length,
    ).toBeGreaterThan(5);
    const hours = await press(guild, join);
    expect((await press(guild, customIds(hours)[0] ?? '', ['12-14'])).data.content).toContain(
      'number 1',
    );
  });

  it('finds free spots and claims one', async () => {
    const guild = await aGuild(dialect);
    await claimOfBob(guild, 12, 14);
    const free = await command(guild, 'free', { start: '12', hours: '2' });
    expect(free.data.content).toMatch(/spots are free/);
    const options = free.data.components?.[0]?.components[0]?.options ?? [];
    expect(options).toHaveLength(10);
    expect(options.map(({ value }) => value)).not.toContain(String(guild.spot.id));
    expect(
      (await press(guild, customIds(free)[0] ?? '', [options[0]?.value ?? ''])).data.content,
    ).toContain('**Ann** claimed');
  });

  it('refuses hours, dates and texts that cannot be, in words', async () => {
    const guild = await aGuild(dialect);
    const spot = spotValue(guild.spot);
    const content = async (name: string, options: Record<string, string>): Promise<string> =>
      (await command(guild, name, options)).data.content ?? '';
    expect(await content('wait', { spot, date: TODAY, start: '20', hours: '10' })).toMatch(
      /SS\+24/,
    );
    expect(await content('claim', { spot, start: '99' })).toContain('99 is not an hour');
    expect(await content('spot', { spot, date: '9998-12-31' })).toContain('is not a date');
    expect((await content('claim', { spot: '*'.repeat(100) })).length).toBeLessThan(300);
    expect(await content('free', { start: '23' })).toMatch(/spots? (is|are) free/);
    expect(
      await suggested(guild, 'claim', [
        { name: 'spot', value: spot },
        { name: 'date', value: '9999-99-99' },
        { name: 'start', value: '', focused: true },
      ]),
    ).not.toEqual([]);
  });

  it('acts for the character of the button, and names both parts of a split claim', async () => {
    const guild = await aGuild(dialect);
    const zoe = await aKey(guild.app, 'Zoe');
    const { code } = (await guild.app.api.post('/discord/link-code').set(asMember(zoe)).expect(201))
      .body.data;
    await interact(guild.app, guild.discord, aCommand('link', { code })).expect(200);
    const day = await command(guild, 'spot', { spot: spotValue(guild.spot), character: 'Zoe' });
    const starts = await press(guild, customIds(day)[0] ?? '');
    const lengths = await press(guild, customIds(starts)[0] ?? '', ['15']);
    expect((await press(guild, customIds(lengths)[0] ?? '', ['1'])).data.content).toContain(
      '**Zoe** claimed',
    );
    const [, other] = (await guild.app.api.get('/respawns').set(asMember(zoe)).expect(200)).body;
    const split_parts = [
      { part_number: 1, respawn_id: guild.spot.id, hour_start: 18, duration: 1 },
      { part_number: 2, respawn_id: other.id, hour_start: 20, duration: 1 },
    ];
    const claim = {
      respawn_id: guild.spot.id,
      character_name: 'Ann',
      date: TODAY,
      is_split_claim: 1,
      split_parts,
    };
    await guild.app.api
      .post('/claims')
      .send({ access_key: guild.ann.key_value, claims: [claim] })
      .expect(201);
    const mine = (await command(guild, 'mine')).data.content ?? '';
    expect(mine.split('\n')).toEqual([
      expect.stringMatching(/^1\. .*SS\+15 to SS\+16/),
      expect.stringMatching(/^2\. .*SS\+18 to SS\+19/),
      expect.stringMatching(/^3\. .*SS\+20 to SS\+21/),
    ]);
  });

  it('suggests spots, dates and starts to linked users only', async () => {
    const guild = await aGuild(dialect);
    await claimOfBob(guild, 12, 14);
    const spot = { name: 'spot', value: guild.spot.name.slice(0, 3).toLowerCase(), focused: true };
    const spots = await suggested(guild, 'claim', [spot]);
    expect(spots.length).toBeGreaterThan(0);
    expect(spots.length).toBeLessThanOrEqual(25);
    expect(
      await suggested(guild, 'claim', [spot], {
        member: { user: { id: '423456789012345678', username: 'orik' } },
      }),
    ).toEqual([]);
    expect(await suggested(guild, 'claim', [spot], { guild_id: '1' })).toEqual([]);
    const dates = await suggested(guild, 'claim', [{ name: 'date', value: '', focused: true }]);
    expect(dates[0]).toEqual({ name: 'Sat, Nov 21 (today)', value: TODAY });
    const chosen = { name: 'spot', value: spotValue(guild.spot) };
    const starts = await suggested(guild, 'claim', [
      chosen,
      { name: 'start', value: '1', focused: true },
    ]);
    expect(starts.map(({ value }: { value: string }) => value)).toEqual([
      '10',
      '11',
      '14',
      '15',
      '16',
      '17',
      '18',
      '19',
    ]);
    expect(starts[0].name).toMatch(/^SS\+10 · in 1 hr/);
    expect(
      await suggested(guild, 'claim', [{ name: 'character', value: '', focused: true }]),
    ).toEqual([{ name: 'Ann', value: 'Ann' }]);
  });

  it('takes a typed number for a name', async () => {
    const guild = await aGuild(dialect);
    const { app, spot } = guild;
    const other = guild.spots.find(({ id }) => id === 7) ?? spot;
    await app.api
      .put(`/admin/respawns/${spot.id}`)
      .set(app.admin)
      .send({ name: String(other.id) })
      .expect(200);
    const titleOf = async (text: string) =>
      (await command(guild, 'spot', { spot: text })).data.embeds?.[0]?.title;
    expect(await titleOf(String(other.id))).toBe(String(other.id));
    expect(
      (
        await command(guild, 'claim', {
          spot: String(other.id),
          date: TODAY,
          start: '12',
          hours: '1',
        })
      ).data.content,
    ).toContain('claimed');
    expect(await claimsOf(guild)).toHaveLength(1);
    expect(await titleOf(spotValue({ id: other.id }))).toBe(other.name);
    expect((await command(guild, 'spot', { spot: '999999' })).data.content).toBe(
      'There is no spot named 999999.',
    );
  });

  it('understands what it suggested, as value and as label, in three languages, also after server save', async () => {
    const guild = await aGuild(dialect);
    const { app } = guild;
    const spot = { name: 'spot', value: spotValue(guild.spot) };
    for (const locale of ['en-US', 'es-419', 'pt-BR']) {
      discordMemory(app.ctx).commands.admit = () => 1;
      const all = (options: object[]) => suggested(guild, 'spot', options, { locale });
      const understood = async (options: Record<string, string>) => {
        const reply = await command(guild, 'spot', { spot: guild.spot.name, ...options });
        const urls =
          reply.data.components?.flatMap(({ components }) =>
            components.flatMap(({ url }) => url ?? []),
          ) ?? [];
        return new URL(urls[0] ?? 'https://refused.example').searchParams;
      };
      for (const { name, value } of (await all([{ name: 'spot', value: '', focused: true }])).slice(
        0,
        2,
      ))
        for (const text of [name, value])
          expect((await understood({ spot: text })).get('search')).toBe(name);
      const dates = (await all([{ name: 'date', value: '', focused: true }])).slice(0, 3);
      for (const { name, value } of dates)
        for (const text of [name, value])
          expect((await understood({ date: text })).get('date')).toBe(value);
      // The one that was "today" until now.
      app.setNow('2026-11-22T18:00:00Z');
      for (const { name, value } of dates)
        expect((await understood({ date: name })).get('date')).toBe(value);
      app.setNow(NOW);
      const starts = await all([spot, { name: 'start', value: '', focused: true }]);
      const [character] = await all([{ name: 'character', value: '', focused: true }]);
      const language = languageOf(locale, undefined) ?? 'en';
      const label = sentencesIn(language)('discordApp.forHours', { count: 2 });
      for (const { name, value } of starts.slice(-2)) {
        const options = {
          spot: guild.spot.name,
          date: TODAY,
          start: name,
          hours: label,
          character: character.name,
        };
        const refusal = new DomainError(
          Number(value) < 23 ? 'wait.nothingTaken' : 'times.exceedsDay',
        );
        expect((await command(guild, 'wait', options, { locale })).data.content).toBe(
          refusalText(refusal, language),
        );
      }
      expect(
        await all([
          { ...spot, value: guild.spot.name },
          { name: 'start', value: starts[0].name, focused: true },
        ]),
      ).toContainEqual(starts[0]);
    }
  });

  it('asks which spot is meant where a name fits several', async () => {
    const guild = await aGuild(dialect);
    const { app } = guild;
    const [, second, third] = guild.spots;
    if (!second || !third) throw new Error('the catalogue has spots');
    const rename = (id: number, name: string) =>
      app.api.put(`/admin/respawns/${id}`).set(app.admin).send({ name }).expect(200);
    await rename(guild.spot.id, 'Quiet Cave North');
    await rename(second.id, 'Quiet Cave South');
    await rename(third.id, 'Quiet Cáve');
    const choices = ({ data }: Reply) =>
      data.components?.[0]?.components[0]?.options?.map(({ label }) => label);
    const unique = await command(guild, 'claim', { spot: 'quiet cave n', start: '12', hours: '2' });
    expect(unique.data.content).toContain('SS+12 to SS+14');
    const which = await command(guild, 'claim', {
      spot: 'quiet',
      date: '2026-11-22',
      start: '14',
      hours: '1',
    });
    expect(which.data.content).toMatch(/^Several spots match quiet/);
    expect(choices(which)).toEqual(['Quiet Cáve', 'Quiet Cave North', 'Quiet Cave South']);
    expect(
      (await press(guild, customIds(which)[0] ?? '', [String(second.id)])).data.content,
    ).toContain('Quiet Cave South');
    const open = await press(
      guild,
      customIds(await command(guild, 'claim', { spot: 'quiet' }))[0] ?? '',
      [String(second.id)],
    );
    expect(customIds(open)[0]).toMatch(/^start\|/);
    // Without its accent it is still the only one of that name.
    expect((await command(guild, 'spot', { spot: 'quiet cave' })).data.embeds?.[0]?.title).toBe(
      'Quiet Cáve',
    );
    const day = await press(
      guild,
      customIds(await command(guild, 'spot', { spot: 'cave quiet' }))[0] ?? '',
      [String(guild.spot.id)],
    );
    expect(day.data.embeds?.[0]?.title).toBe('Quiet Cave North');
    await app.api
      .post('/claims')
      .send({
        access_key: guild.bob.key_value,
        claims: [
          {
            respawn_id: third.id,
            character_name: 'Bob',
            date: '2026-11-23',
            hour_start: 20,
            hour_end: 22,
          },
        ],
      })
      .expect(201);
    app.setNow(new Date(Date.parse(NOW) + 10_000).toISOString());
    const wait = await command(guild, 'wait', {
      spot: 'cave quiet',
      date: '2026-11-23',
      start: '20',
      hours: '2',
    });
    expect(
      (await press(guild, customIds(wait)[0] ?? '', [String(third.id)])).data.content,
    ).toContain('number 1');
  });

  it('removes the buttons of a part that is gone', async () => {
    const guild = await aGuild(dialect);
    await guild.app.api
      .put('/admin/config')
      .set(guild.app.admin)
      .send({ release_enabled: 1 })
      .expect(200);
    await command(guild, 'claim', {
      spot: spotValue(guild.spot),
      date: TODAY,
      start: '12',
      hours: '1',
    });
    const [claim] = await claimsOf(guild);
    expect(await press(guild, `release!|${claim?.id}|2`)).toMatchObject({
      type: 7,
      data: { components: [] },
    });
  });

  it('answers any custom id and value in words', async () => {
    const guild = await aGuild(dialect);
    const failed = vi.spyOn(guild.app.ctx.log, 'error');
    discordMemory(guild.app.ctx).commands.admit = () => 1;
    await command(guild, 'claim', {
      spot: spotValue(guild.spot),
      date: TODAY,
      start: '12',
      hours: '1',
    });
    const [claim] = await claimsOf(guild);
    const target = fc.constantFrom(
      ...[
        '5',
        '0',
        '-1',
        '',
        '1',
        '2',
        '99999999999',
        'NaN',
        '__proto__',
        'constructor',
        '2026-11-21',
        '9998-12-31',
        '0000-00-00',
        '12-14',
      ],
      ...['14-12', '23', '24', String(guild.spot.id), String(guild.ann.id), String(claim?.id)],
    );
    const custom_id = fc
      .tuple(
        fc.constantFrom(...ACTIONS, '__proto__', 'toString', ''),
        fc.array(target, { maxLength: 5 }),
      )
      .map(([action, targets]) => [action, ...targets].join('|'));
    const values = fc.array(target, { maxLength: 2 });
    for (const [id, chosen] of [
      ['start|5|__proto__|', ['1']] as const,
      [`start|5|__proto__|${guild.ann.id}`, ['1']] as const,
      ...fc.sample(fc.tuple(custom_id, values), 60),
    ])
      expect((await press(guild, id, [...chosen])).data.content).not.toMatch(
        /went wrong|undefined|NaN/,
      );
    expect(failed).not.toHaveBeenCalled();
  });

  it('acts by the key as it is now: a revoked one claims nothing', async () => {
    const guild = await aGuild(dialect);
    await guild.app.api
      .put(`/admin/access-keys/${guild.ann.id}/revoke`)
      .set(guild.app.admin)
      .send({})
      .expect(200);
    expect(
      (await command(guild, 'claim', { spot: guild.spot.name, start: '12' })).data.content,
    ).toContain('/link');
    expect(await claimsOf({ ...guild, ann: guild.bob })).toEqual([]);
  });
});
