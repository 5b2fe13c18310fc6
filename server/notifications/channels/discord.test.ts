import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DiscordMessage,
  MAX_CHARACTERS,
  MAX_DESCRIPTION,
  MAX_EMBEDS,
  MAX_TITLE,
} from '../../../shared/discord/message.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import {
  bulkAction,
  type EventClaim,
  type PublicEvent,
  type PublicEventType,
  publicEvent,
} from '../../../shared/schemas/domain-events.ts';
import { ENDING_REASONS } from '../../../shared/schemas/ending.ts';
import { aClaim } from '../../../shared/test/a-claim.ts';
import { anyText } from '../../../shared/test/any-text.ts';
import { readEnv } from '../../env.ts';
import { discordRequest, discordTestRequest } from './messages.ts';

const ctx = { env: readEnv({}), now: () => new Date(AT) };
const AT = '2026-11-21T18:00:00.000Z';
const LANGUAGES: readonly Language[] = ['en', 'es', 'pt'];
const unix = (iso: string): number => Date.parse(iso) / 1000;

const aNewsClaim = (given: Partial<EventClaim> = {}): EventClaim => ({
  ...aClaim({ hour_start: 9, hour_end: 12 }),
  split_group_id: null,
  split_part_number: null,
  respawn_name: 'Demons',
  respawn_image: 'demon.gif',
  respawn_image_url: '/assets/respawns/demon.gif',
  category_id: null,
  category_name: null,
  split_parts: [],
  by: null,
  ...given,
});
const created = (given: Partial<EventClaim> = {}): PublicEvent => ({
  type: 'claim.created',
  timestamp: AT,
  data: aNewsClaim(given),
});

async function messageOf(
  events: readonly PublicEvent[],
  language: Language = 'en',
): Promise<DiscordMessage> {
  const { url, headers, body } = await discordRequest(ctx, events, {
    url: 'https://discord.com/api/webhooks/1/x',
    language,
  });
  expect({ url, headers }).toEqual({
    url: 'https://discord.com/api/webhooks/1/x',
    headers: { 'content-type': 'application/json' },
  });
  return JSON.parse(String(body));
}

async function messageText(events: PublicEvent, language: Language = 'en'): Promise<string> {
  const [embed] = (await messageOf([events], language)).embeds;
  return `${embed?.title}\n${embed?.description}`;
}

describe('a message to a channel', () => {
  it('says who has which spot and when, so that each reader sees their own time', async () => {
    // SS+9 of that date is ten o'clock Pacific time.
    const from = unix('2026-11-21T18:00:00Z');
    const until = unix('2026-11-21T21:00:00Z');
    expect(await messageText(created())).toBe(
      `New claim\n**Arden Vale**\nDemons: <t:${from}:f> to <t:${until}:t> (SS+9 to SS+12)`,
    );
    expect(await messageText(created(), 'es')).toBe(
      `Nueva reserva\n**Arden Vale**\nDemons: De <t:${from}:f> a <t:${until}:t> (SS+9 a SS+12)`,
    );
    expect(await messageText(created(), 'pt')).toBe(
      `Nova reserva\n**Arden Vale**\nDemons: De <t:${from}:f> até <t:${until}:t> (SS+9 a SS+12)`,
    );
    expect(await messageOf([created()])).toMatchObject({
      embeds: [{ timestamp: AT }],
      allowed_mentions: { parse: [] },
    });
  });

  it('shows a split claim once, with both its spots', async () => {
    const parts = [
      { part_number: 1, respawn_id: 1, respawn_name: 'Demons', hour_start: 10, duration: 2 },
      { part_number: 2, respawn_id: 2, respawn_name: 'Hydras', hour_start: 14, duration: 1 },
    ];
    const split = aNewsClaim({ is_split_claim: 1, split_parts: parts });
    const text = await messageText({ type: 'claim.created', timestamp: AT, data: split });
    expect(text).toMatch(/Demons: .*\(SS\+10 to SS\+12\)\nHydras: .*\(SS\+14 to SS\+15\)$/);
    const missed = await messageText({
      type: 'claim.no_show',
      timestamp: AT,
      data: { ...split, part_number: 2 },
    });
    expect(missed).toMatch(/^No-show\n\*\*Arden Vale\*\*\nHydras: /);
    expect(missed).not.toContain('Demons');
  });

  it('shows the deadline of a hold, the state before, why a claim ended, and that an admin did it', async () => {
    const until = '2026-11-21T18:10:00.000Z';
    const held = aNewsClaim({ is_held: 1, held_until: until });
    expect(
      await messageText({ type: 'hold.offered', timestamp: AT, data: { ...held, wait_id: 4 } }),
    ).toContain(`Held until <t:${unix(until)}:t> (<t:${unix(until)}:R>)`);
    const claim = aNewsClaim({ by: 'bubble' });
    const before = { respawn_name: 'Hydras', date: claim.date, hour_start: 2, hour_end: 3 };
    const moved = { ...claim, before };
    const changed = await messageText({ type: 'claim.updated', timestamp: AT, data: moved });
    expect(changed).toMatch(/\nBefore: Hydras, SS\+2 to SS\+3\nBy an admin$/);
    const dayBefore = await messageText({
      type: 'claim.updated',
      timestamp: AT,
      data: { ...moved, before: { ...before, date: '2026-11-20' } },
    });
    expect(dayBefore).toMatch(
      /\nBefore: Hydras, <t:\d+:f> to <t:\d+:t> \(SS\+2 to SS\+3\)\nBy an admin$/,
    );
    // An admin's user name is private.
    expect(changed).not.toContain('bubble');
    const gone = { ...aNewsClaim({ by: 'bubble' }), reason: 'cleared' as const };
    expect(await messageText({ type: 'claim.deleted', timestamp: AT, data: gone })).toMatch(
      /\nAll claims of the spot were deleted$/,
    );
  });

  it('shows the daily hours for a claim of a whole event', async () => {
    const text = await messageText(created({ date: null, event_id: 3 }));
    expect(text).toContain(
      `<t:${unix('2026-11-21T18:00:00Z')}:t> to <t:${unix('2026-11-21T21:00:00Z')}:t> on every day of the event (SS+9 to SS+12)`,
    );
  });

  it('shows an event’s period by its server-save days', async () => {
    const event = {
      id: 3,
      name: 'Rapid *Respawn*',
      type: 'multiple_claims',
      start_time: '2026-11-20',
      end_time: '2026-11-22T10:00',
    } as const;
    const data = {
      ...event,
      single_claim_template: null,
      is_active: 1,
      claim_count: 0,
      created_at: AT,
    } as const;
    expect(await messageText({ type: 'event.activated', timestamp: AT, data })).toBe(
      `Event activated\n**Rapid \\*Respawn\\***\n<t:${unix('2026-11-20T09:00:00Z')}:f> to <t:${unix('2026-11-23T09:00:00Z')}:f>`,
    );
  });

  it('can be tried in each language', async () => {
    for (const language of LANGUAGES) {
      const { body } = await discordTestRequest(ctx, {
        url: 'https://discord.com/api/webhooks/1/x',
        language,
      });
      expect(JSON.parse(String(body))).toMatchObject({
        embeds: [{ title: expect.stringMatching(/./), timestamp: AT }],
        allowed_mentions: { parse: [] },
      });
    }
  });

  it('holds ten changes: 25 at once become three messages, in their order', async () => {
    let waiting = Array.from({ length: 25 }, (_, n) =>
      created({ character_name: `Hunter ${n + 1}` }),
    );
    const sent: string[][] = [];
    while (waiting.length > 0) {
      const some = waiting.slice(0, MAX_EMBEDS);
      waiting = waiting.slice(some.length);
      sent.push(
        (await messageOf(some)).embeds.map(
          ({ description }) => /Hunter \d+/.exec(description)?.[0] ?? '',
        ),
      );
    }
    expect(sent.map((names) => names.length)).toEqual([10, 10, 5]);
    // Discord would refuse the whole message for one too many.
    expect((await messageOf(Array.from({ length: 25 }, () => created()))).embeds).toHaveLength(
      MAX_EMBEDS,
    );
    expect(sent.flat()).toEqual(Array.from({ length: 25 }, (_, n) => `Hunter ${n + 1}`));
  });
});

/** Names of 60 signs out of everything that means something to Discord, to a text's direction or to a template. */
const name = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'*_`~|<>@#:/\\[]()-.{}$&'),
    fc.constantFrom(
      '@everyone',
      '<@1>',
      '<#2>',
      '</a:3>',
      '<t:0:R>',
      '**',
      '||',
      '```',
      '\n',
      '\u202e',
      '\u2066',
      'ש',
      'م',
      '😀',
      '\ud83d',
      '\ude00',
      '{{spot}}',
      '$t(',
    ),
    anyText({ minLength: 1, maxLength: 1 }),
  ),
  minLength: 60,
  maxLength: 60,
});
const hours = fc.record({
  hour_start: fc.integer({ min: 0, max: 21 }),
  duration: fc.integer({ min: 1, max: 3 }),
});
const flag = fc.constantFrom(0 as const, 1 as const);
const claim = fc
  .record({
    who: name,
    spot: name,
    other: name,
    hours,
    split: flag,
    secondary: flag,
    by: fc.constantFrom(null, 'bubble'),
    far: fc.boolean(),
  })
  .map(({ who, spot, other, hours, split, secondary, by, far }): EventClaim => {
    const part = { part_number: 1, respawn_id: 1, respawn_name: spot, ...hours };
    return aNewsClaim({
      character_name: who,
      respawn_name: spot,
      date: far ? '9998-12-31' : null,
      hour_start: hours.hour_start,
      hour_end: hours.hour_start + hours.duration,
      is_split_claim: split,
      split_parts: split ? [part, { ...part, part_number: 2, respawn_name: other }] : [],
      is_secondary_claim: secondary,
      held_until: '9998-12-31T00:00:00.000Z',
      by,
    });
  });
const anyNews = fc
  .record({
    type: fc.constantFrom<PublicEventType>(
      ...publicEvent.options.map(({ shape }) => shape.type.value),
    ),
    data: claim,
    name,
    spot: name,
    reason: fc.constantFrom(...ENDING_REASONS),
  })
  .map(({ type, data, name, spot, reason }): PublicEvent => {
    const timestamp = AT;
    switch (type) {
      case 'event.activated':
      case 'event.deactivated': {
        const times = {
          start_time: '2026-11-20',
          end_time: '9998-12-31',
          single_claim_template: null,
          is_active: 1,
          claim_count: 0,
        } as const;
        return {
          type,
          timestamp,
          data: { id: 1, name, type: 'multiple_claims', ...times, created_at: AT },
        };
      }
      case 'submission.closed':
      case 'submission.opened':
        return { type, timestamp, data: { guild_name: name, submission_enabled: 0 } };
      case 'claim.updated':
        return {
          type,
          timestamp,
          data: {
            ...data,
            before: { respawn_name: spot, date: data.date, hour_start: 10, hour_end: 24 },
          },
        };
      case 'claim.deleted':
        return { type, timestamp, data: { ...data, reason } };
      case 'claim.transferred':
        return { type, timestamp, data: { ...data, from: name, how: 'handover' } };
      case 'hold.offered':
        return { type, timestamp, data: { ...data, wait_id: 1 } };
      case 'claim.no_show':
        return { type, timestamp, data: { ...data, part_number: null } };
      case 'claims.changed': {
        const event = { id: 1, name };
        return {
          type,
          timestamp,
          data: {
            action: 'event_copied',
            by: 'admin',
            event,
            respawn: null,
            created: 651,
            deleted: 0,
          },
        };
      }
      default:
        return { type, timestamp, data };
    }
  });

describe('bulk work', () => {
  it.each([
    [
      'en',
      'Several claims changed',
      '**Week 13**\n651 claims were copied into this event.\nBy an admin',
    ],
    [
      'es',
      'Cambiaron varias reservas',
      '**Week 13**\nSe copiaron 651 reservas a este evento.\nPor un admin',
    ],
    [
      'pt',
      'Várias reservas mudaram',
      '**Week 13**\n651 reservas foram copiadas para este evento.\nPor um admin',
    ],
  ] as const)('is one summary in %s', async (language, title, description) => {
    const event = { id: 1, name: 'Week 13' };
    const data = {
      action: 'event_copied',
      by: 'Thora',
      event,
      respawn: null,
      created: 651,
      deleted: 0,
    } as const;
    const { embeds } = await messageOf([{ type: 'claims.changed', timestamp: AT, data }], language);
    expect(embeds).toMatchObject([{ title, description }]);
  });

  it('says each action, of one claim and of several', async () => {
    const descriptions = [];
    for (const action of bulkAction.options) {
      for (const deleted of [1, 2]) {
        const data = {
          action,
          by: null,
          event: null,
          respawn: { id: 1, name: 'Issavi' },
          created: 0,
          deleted,
        };
        const { embeds } = await messageOf([{ type: 'claims.changed', timestamp: AT, data }], 'en');
        descriptions.push(embeds[0]?.description);
      }
    }
    expect(new Set(descriptions).size).toBe(2 * bulkAction.options.length);
    for (const text of descriptions) expect(text).toMatch(/^\*\*Issavi\*\*\n.*\b[12] claims?\b/);
  });
});

describe('with any names, a message of ten changes', () => {
  it("keeps Discord's limits, pings no one, and lets no name break our formatting", async () => {
    const some = fc.oneof(
      fc.array(anyNews, { minLength: 1, maxLength: MAX_EMBEDS }),
      fc.array(claim, { minLength: 10, maxLength: 10 }).map((all) =>
        all.map(
          (data): PublicEvent => ({
            type: 'claim.updated',
            timestamp: AT,
            data: {
              ...data,
              before: {
                respawn_name: data.respawn_name,
                date: data.date,
                hour_start: 1,
                hour_end: 2,
              },
            },
          }),
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(some, fc.constantFrom(...LANGUAGES), async (events, language) => {
        const { embeds, allowed_mentions } = await messageOf(events, language);
        expect(allowed_mentions).toEqual({ parse: [] });
        expect(embeds).toHaveLength(events.length);
        expect(
          embeds.reduce(
            (sum, { title, description }) => sum + title.length + description.length,
            0,
          ),
        ).toBeLessThanOrEqual(MAX_CHARACTERS);
        for (const { title, description } of embeds) {
          expect(title.length).toBeGreaterThan(0);
          expect(title.length).toBeLessThanOrEqual(MAX_TITLE);
          expect(description.trim().length).toBeGreaterThan(0);
          expect(description.length).toBeLessThanOrEqual(MAX_DESCRIPTION);
          expect(description.isWellFormed()).toBe(true);
          // Unescaped text left is ours: times, and the bold of the name.
          const ours = description.replace(/\\[^0-9A-Za-z\s]/g, '').replace(/<t:-?\d+:[tfR]>/g, '');
          expect(ours).not.toMatch(/[<>@#`~|[\]\\]/);
          expect((ours.match(/\*\*/g) ?? []).length % 2).toBe(0);
          expect(ours).not.toMatch(/\{\{|undefined|NaN|Invalid/);
          expect(ours).not.toMatch(/[\u202a-\u202e]/);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('leaves no change out where the names fill it: they are cut', async () => {
    const worst = aNewsClaim({
      character_name: '*'.repeat(60),
      is_split_claim: 1,
      split_parts: [1, 2].map((part_number) => ({
        part_number,
        respawn_id: 1,
        respawn_name: '_'.repeat(60),
        hour_start: 10,
        duration: 2,
      })),
    });
    const before = {
      respawn_name: '~'.repeat(60),
      date: worst.date,
      hour_start: 10,
      hour_end: 12,
    };
    const changed: PublicEvent = {
      type: 'claim.updated',
      timestamp: AT,
      data: { ...worst, before },
    };
    const { embeds } = await messageOf(
      Array.from({ length: 10 }, () => changed),
      'pt',
    );
    expect(embeds).toHaveLength(10);
    expect(embeds[0]?.description).toContain('…');
  });
});
