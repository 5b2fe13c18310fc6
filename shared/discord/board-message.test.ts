import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentencesIn } from '../../server/http/errors.ts';
import type { Language } from '../schemas/destination.ts';
import { aClaim } from '../test/a-claim.ts';
import { anyText } from '../test/any-text.ts';
import {
  type BoardLine,
  boardMessage,
  closedBoardMessage,
  type SayOnBoard,
  type ShownBoard,
  shownBoard,
} from './board-message.ts';

const clock = { ss_time_zone: 'UTC', ss_hour: 10 };
const now = new Date('2026-11-21T18:00:00Z');
const BOARD = 'https://board.example';

const sayIn = (language: Language): SayOnBoard => {
  const sentences = sentencesIn(language);
  return (key, params = {}) => sentences(key, params);
};

const write = (board: ShownBoard, language: Language = 'en', board_url: string | null = BOARD) =>
  boardMessage(board, { say: sayIn(language), clock, now, board_url }).embeds[0];
/** Discord's limits: of an embed's parts, and of all its text. */
function expectToFit({ title, description, footer }: ReturnType<typeof write>): void {
  expect(title.length).toBeLessThanOrEqual(256);
  expect(description.length).toBeLessThanOrEqual(4_096);
  expect(title.length + description.length + (footer?.text.length ?? 0)).toBeLessThanOrEqual(6_000);
  expect(description.isWellFormed()).toBe(true);
}
const line = (change: Partial<BoardLine> = {}): BoardLine => ({
  respawn_name: 'Cobra Bastion',
  character_name: 'Ann',
  hour_start: 8,
  hour_end: 10,
  is_held: false,
  waiting: 0,
  ...change,
});
const aBoard = (change: Partial<ShownBoard> = {}): ShownBoard => ({
  date: '2026-11-21',
  hour: 8,
  lines: [],
  free: [{ category: 'Issavi', count: 3 }],
  ...change,
});

describe('the message of today’s board', () => {
  it('of an empty day', () => {
    expect(write(aBoard())).toEqual({
      title: "Today's board",
      url: BOARD,
      description: [
        '<t:1795255200:D>',
        '',
        'No claims for the rest of the day.',
        '',
        '**Free now**',
        'Issavi **3**',
      ].join('\n'),
      color: 0x31_82_ce,
      footer: { text: 'Updated' },
      timestamp: now.toISOString(),
    });
    expect(write(aBoard({ free: [] })).description).toMatch(/Every spot is taken\.$/);
  });

  it('has the running claims first, then the others, with holds and waitlists as such', () => {
    const { description } = write(
      aBoard({
        lines: [
          line({ hour_start: 7, hour_end: 9, waiting: 2 }),
          line({ hour_start: 8, hour_end: 11, is_held: true, character_name: 'Bob' }),
          line({
            hour_start: 12,
            hour_end: 14,
            respawn_name: '**Asura**',
            character_name: '@here',
          }),
        ],
        free: [
          { category: 'Issavi', count: 3 },
          { category: null, count: 1 },
        ],
      }),
    );
    expect(description).toBe(
      [
        '<t:1795255200:D>',
        '',
        '**Now**',
        '<t:1795280400:t> to <t:1795287600:t> · Cobra Bastion · Ann · 2 waiting',
        '<t:1795284000:t> to <t:1795294800:t> · Cobra Bastion · held for Bob',
        '',
        '**Later today**',
        '<t:1795298400:t> to <t:1795305600:t> · \\*\\*Asura\\*\\* · \\@here',
        '',
        '**Free now**',
        'Issavi **3** · Other spots **1**',
      ].join('\n'),
    );
  });

  it.each(['en', 'es', 'pt'] as const)(
    'of 400 claims of 285 spots with names of 25 letters fits, and counts the others (%s)',
    (language) => {
      const lines = Array.from({ length: 400 }, (_, nth) =>
        line({
          respawn_name: `Spot ${nth % 285} `.padEnd(25, 'w'),
          character_name: `Hunter ${nth} `.padEnd(25, 'w'),
          hour_start: Math.floor(nth / 40) + 8,
          hour_end: Math.floor(nth / 40) + 10,
          waiting: nth % 3,
        }),
      ).sort((a, b) => a.hour_start - b.hour_start);
      const free = Array.from({ length: 60 }, (_, nth) => ({
        category: `Region ${nth} `.padEnd(25, 'w'),
        count: 5,
      }));
      const embed = write(aBoard({ lines, free }), language);
      expectToFit(embed);
      const listed = embed.description.split('\n').filter((each) => / · Spot /.test(each)).length;
      expect(listed).toBeGreaterThan(25);
      expect(embed.description).toMatch(
        new RegExp(`\\[[^\\]]*${400 - listed}[^\\]]*\\]\\(https://board\\.example\\)`),
      );
      expect(write(aBoard({ lines, free }), language, null).description).not.toContain('](');
    },
  );

  it('never exceeds Discord’s limits, with any names and any number of claims', () => {
    const name = fc.oneof(
      anyText({ maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(...'*_`~|<>@#:/\\[]()-. aש\u202e'), maxLength: 60 }),
    );
    const hours = fc.tuple(fc.nat(23), fc.integer({ min: 1, max: 24 }));
    const aLine = fc
      .record({
        respawn_name: name,
        character_name: name,
        hours,
        is_held: fc.boolean(),
        waiting: fc.nat(500),
      })
      .map(({ hours: [hour_start, length], ...rest }) => ({
        ...rest,
        hour_start,
        hour_end: Math.min(24, hour_start + length),
      }));
    const free = fc.array(
      fc.record({ category: fc.option(name), count: fc.integer({ min: 1, max: 285 }) }),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(
        fc.array(aLine, { maxLength: 400 }),
        free,
        fc.nat(23),
        fc.constantFrom('en', 'es', 'pt'),
        fc.constantFrom(null, BOARD, `https://${'b'.repeat(200)}.example`),
        (lines, some, hour, language, board_url) => {
          expectToFit(write(aBoard({ lines, free: some, hour }), language, board_url));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('says once that it is no longer updated', () => {
    expect(closedBoardMessage(sayIn('es'))).toEqual({
      embeds: [
        {
          title: 'Tablero de hoy',
          description: 'Este tablero ya no se actualiza.',
          color: 0x71_80_96,
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });
});

describe('what it shows', () => {
  const spot = (id: number, category_id: number | null = 1) => ({
    id,
    name: `Spot ${id}`,
    image: '',
    image_url: '',
    category_id,
    category_name: null,
    is_enabled: 1 as const,
    total_claims: 0,
    last_claim_date: null,
    created_at: '',
  });
  const category = { id: 1, name: 'Issavi' };
  const records = {
    claim: [],
    occupancy: [],
    wait: [],
    respawn: [spot(1), spot(2), spot(3, null), { ...spot(4), is_enabled: 0 as const }],
    category: [category],
  };
  const at = { today: '2026-11-21', hour: 8, now, category_id: null };

  it('is today from this hour on: parts of split claims, other events’ claims, no secondary or expired ones', () => {
    const today = { date: '2026-11-21', hour_start: 8, hour_end: 10, respawn_id: 1 };
    const { lines, free } = shownBoard(
      {
        ...records,
        claim: [
          aClaim({ ...today, id: 1 }),
          aClaim({ ...today, id: 2, hour_start: 4, hour_end: 8 }),
          aClaim({ ...today, id: 3, date: '2026-11-22' }),
          aClaim({ ...today, id: 4, is_secondary_claim: 1 }),
          aClaim({ ...today, id: 5, is_held: 1, held_until: '2026-11-21T17:59:59.000Z' }),
          aClaim({
            ...today,
            id: 6,
            is_split_claim: 1,
            split_parts: [
              { part_number: 1, respawn_id: 2, hour_start: 12, duration: 1 },
              { part_number: 2, respawn_id: 3, hour_start: 14, duration: 2 },
            ],
          }),
        ],
        occupancy: [
          {
            id: 9,
            character_name: 'Zed',
            event_name: null,
            first_date: '2026-11-20',
            last_date: '2026-11-21',
            parts: [{ respawn_id: 2, hour_start: 20, hour_end: 22 }],
          },
        ],
      },
      at,
    );
    expect(lines.map((each) => [each.respawn_name, each.hour_start, each.hour_end])).toEqual([
      ['Spot 1', 8, 10],
      ['Spot 2', 12, 13],
      ['Spot 3', 14, 16],
      ['Spot 2', 20, 22],
    ]);
    expect(free).toEqual([
      { category: 'Issavi', count: 1 },
      { category: null, count: 1 },
    ]);
  });

  it('is one category’s, or all if that one is gone', () => {
    const of = (category_id: number) => shownBoard(records, { ...at, category_id }).free;
    expect(of(1)).toEqual([{ category: 'Issavi', count: 2 }]);
    expect(of(99)).toHaveLength(2);
  });
});
