import { describe, expect, test } from 'vitest';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import { claimsByRespawn } from '../../state/board-store.ts';
import { aCategory, aClaim, anActiveEvent, aSpot } from '../../test/records.ts';
import {
  type BoardFacts,
  type BoardQuery,
  type BoardView,
  boardView,
  isActiveNow,
  keepCategoryOrder,
  keepPlaces,
  onlyFitting,
  reuseParts,
} from './board-view.ts';

const everything: BoardQuery = { search: '', show: 'all', sort: 'none', category: null };

const spots = [
  aSpot(1, 'Fire Library', 10),
  aSpot(2, 'Ingol -10', 20),
  aSpot(3, 'Ingol -2', 20),
  aSpot(4, 'Cobra Bastion', 10),
  aSpot(5, 'Old Well', null),
];

function facts(claims: Claim[] = [], event: Event | null = null): BoardFacts {
  return {
    respawns: spots,
    categories: [aCategory(20, 'Marapur'), aCategory(10, 'Ankrahmun')],
    claimsByRespawn: claimsByRespawn(claims),
    event,
    now: { date: '2026-11-21', hour: 13 },
    date: '2026-11-21',
    own: { viewer: null, starred: new Set(), again: null },
  };
}

/** The sections and their spots, from top to bottom. */
const places = ({ sections }: BoardView): unknown[] =>
  (sections ?? []).map(({ id, cards, tiles }) => [id, cards, tiles]);

test('spots are grouped by category, by name, the uncategorised last', () => {
  const { sections } = boardView(facts(), everything);
  expect(sections?.map(({ id, tiles }) => [id, tiles])).toEqual([
    [10, [4, 1]],
    [20, [3, 2]],
    ['none', [5]],
  ]);
});

test('each category has its claimed spots, then its unclaimed ones; the uncategorised are last though they are claimed', () => {
  const claims = [
    aClaim({ id: 1, respawn_id: 1 }),
    aClaim({ id: 2, respawn_id: 2 }),
    aClaim({ id: 3, respawn_id: 5 }),
  ];
  const view = boardView(facts(claims), everything);
  expect(places(view)).toEqual([
    [10, [1], [4]],
    [20, [2], [3]],
    ['none', [5], []],
  ]);
  expect(view.ids).toEqual([1, 4, 2, 3, 5]);
});

test('a category names those of its spots that the filters let through', () => {
  const [first] =
    boardView(facts([aClaim({ id: 1, respawn_id: 1 })]), { ...everything, search: 'cobra' })
      .sections ?? [];
  expect(first).toMatchObject({ ids: [4], claimed: [], cards: [], tiles: [4], isFiltered: true });
});

test('a disabled spot is not on the board, not even for an admin', () => {
  const hidden = { ...aSpot(6, 'Closed Mine', 10), is_enabled: 0 as const };
  expect(boardView({ ...facts(), respawns: [...spots, hidden] }, everything).ids).not.toContain(6);
});

test('a spot whose category was deleted counts as uncategorised', () => {
  const orphan = aSpot(7, 'Orphan', 99);
  const { sections } = boardView({ ...facts(), respawns: [orphan] }, everything);
  expect(sections?.map(({ id, name }) => [id, name])).toEqual([['none', null]]);
});

test('the search finds spots by their name and by who claims them', () => {
  const board = facts([aClaim({ id: 1, respawn_id: 5, character_name: 'Mira Stormcrow' })]);
  expect(boardView(board, { ...everything, search: ' LIBRARY ' }).ids).toEqual([1]);
  expect(boardView(board, { ...everything, search: 'storm' }).ids).toEqual([5]);
});

test('Claimed and Free divide the spots; Now shows those with a current hunt', () => {
  const board = facts([
    aClaim({ id: 1, respawn_id: 1, hour_start: 2, hour_end: 6 }),
    aClaim({ id: 2, respawn_id: 4, hour_start: 10, hour_end: 14 }),
  ]);
  expect(boardView(board, { ...everything, show: 'claimed' }).ids).toEqual([4, 1]);
  expect(boardView(board, { ...everything, show: 'unclaimed' }).ids).toEqual([3, 2, 5]);
  expect(boardView(board, { ...everything, show: 'active' }).ids).toEqual([4]);
});

test('a category filter leaves that category, or the uncategorised', () => {
  expect(boardView(facts(), { ...everything, category: 20 }).ids).toEqual([3, 2]);
  expect(boardView(facts(), { ...everything, category: 'none' }).ids).toEqual([5]);
});

test('sorting produces one flat list', () => {
  const board = facts([
    aClaim({ id: 1, respawn_id: 5 }),
    aClaim({ id: 2, respawn_id: 5, date: '2026-11-22' }),
    aClaim({ id: 3, respawn_id: 2 }),
  ]);
  const byLetters = boardView(board, { ...everything, sort: 'alphabetical' });
  expect(byLetters.sections).toBeNull();
  expect(byLetters.ids).toEqual([4, 1, 3, 2, 5]);
  expect(boardView(board, { ...everything, sort: 'most_claims' }).ids).toEqual([5, 2, 4, 1, 3]);
});

test("without an event yesterday's claims do not count any more", () => {
  const board = {
    ...facts([aClaim({ id: 1, respawn_id: 1, date: '2026-11-20' })]),
    date: '2026-11-20',
  };
  expect(boardView(board, { ...everything, show: 'claimed' }).ids).toEqual([]);
  expect(
    boardView({ ...board, event: anActiveEvent() }, { ...everything, show: 'claimed' }).ids,
  ).toEqual([1]);
});

test('a claim is active from its start up to, not including, its end', () => {
  const claim = aClaim({ id: 1, respawn_id: 1, hour_start: 10, hour_end: 14 });
  const at = (hour: number, date = '2026-11-21'): boolean =>
    isActiveNow(claim, { date, hour }, null);
  expect([at(9), at(10), at(13), at(14), at(12, '2026-11-22')]).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});

test('a claim of a single_claim event is active on every day of the event', () => {
  const claim = aClaim({ id: 1, respawn_id: 1, date: null });
  const event = anActiveEvent({ type: 'single_claim' });
  expect(isActiveNow(claim, { date: '2026-11-28', hour: 12 }, event)).toBe(true);
  expect(isActiveNow(claim, { date: '2026-11-29', hour: 12 }, event)).toBe(false);
});

test('a change that moves nothing on the board leaves the very same view', () => {
  const before = boardView(facts([aClaim({ id: 1, respawn_id: 1 })]), everything);
  const after = boardView(
    facts([
      aClaim({ id: 1, respawn_id: 1 }),
      aClaim({ id: 2, respawn_id: 1, hour_start: 2, hour_end: 6 }),
    ]),
    everything,
  );
  expect(reuseParts(before, after)).toBe(before);
});

test('a change in one category leaves the other sections the same objects', () => {
  const before = boardView(facts(), everything);
  const after = reuseParts(
    before,
    boardView(facts([aClaim({ id: 1, respawn_id: 1 })]), everything),
  );
  expect(after.sections?.[0]).not.toBe(before.sections?.[0]);
  expect(after.sections?.[1]).toBe(before.sections?.[1]);
});

describe('the shelf of the viewer’s own and starred spots', () => {
  const claims = [
    aClaim({ id: 1, respawn_id: 1, character_name: 'Mira Stormcrow' }),
    aClaim({ id: 2, respawn_id: 3 }),
    aClaim({ id: 3, respawn_id: 4, date: '2026-11-22' }),
  ];
  const own = { viewer: 'mira stormcrow', starred: new Set([2, 3]), again: null };

  // "Each category has a claimed section and an unclaimed section": own and starred spots are in theirs, too.
  test('every spot stands in its category, own and starred ones too, with the same numbers for everyone', () => {
    const view = boardView({ ...facts(claims), own }, everything);
    expect(view.yours).toEqual([1, 3, 2]);
    expect(places(view)).toEqual([
      [10, [1], [4]],
      [20, [3], [2]],
      ['none', [], [5]],
    ]);
    expect({ ...view, yours: null }).toEqual(boardView(facts(claims), everything));
  });

  test('another date has others; the spot of the last claim is the viewer’s where it can be claimed again', () => {
    expect(
      boardView({ ...facts(claims), own: { ...own, again: 1 }, date: '2026-11-22' }, everything)
        .yours,
    ).toEqual([1, 3, 2]);
    expect(
      boardView(
        { ...facts(claims), own: { ...own, starred: new Set() }, date: '2026-11-22' },
        everything,
      ).yours,
    ).toBeNull();
  });

  test('has only spots that the filters let through', () => {
    expect(boardView({ ...facts(claims), own }, { ...everything, category: 20 }).yours).toEqual([
      3, 2,
    ]);
    const view = boardView({ ...facts(claims), own }, everything);
    expect(onlyFitting(view, new Set([2, 4]))).toMatchObject({ yours: [2], ids: [4, 2] });
    expect(onlyFitting(view, new Set([4])).yours).toBeNull();
  });

  test('there is none over a sorted list', () => {
    expect(
      boardView({ ...facts(claims), own }, { ...everything, sort: 'alphabetical' }),
    ).toMatchObject({
      yours: null,
      ids: [4, 1, 3, 2, 5],
    });
  });

  test('spots come and go in it at once, but it comes and goes itself only when the board is sorted again', () => {
    const views = (starred: number[]): BoardView =>
      boardView({ ...facts(claims), own: { ...own, starred: new Set(starred) } }, everything);
    const none = boardView(facts(claims), everything);
    const kept = (before: BoardView, next: BoardView): BoardView['yours'] =>
      keepPlaces(
        before,
        next,
        () => true,
        () => false,
      ).yours;
    expect(kept(none, views([]))).toBeNull();
    expect(kept(views([2]), views([4, 2]))).toEqual([1, 2, 4]);
    expect(kept(views([2]), none)).toEqual([]);
  });
});

test('categories with claims on the date come first; each kind is alphabetical', () => {
  const orderOn = (date: string): unknown =>
    boardView({ ...facts([aClaim({ id: 1, respawn_id: 5 })]), date }, everything).sections?.map(
      ({ id }) => id,
    );
  expect(orderOn('2026-11-21')).toEqual(['none', 10, 20]);
  expect(orderOn('2026-11-22')).toEqual([10, 20, 'none']);
});

test('an order of categories can be kept, whatever is claimed meanwhile', () => {
  const before = boardView(facts([aClaim({ id: 1, respawn_id: 3 })]), everything);
  const next = boardView(facts([aClaim({ id: 2, respawn_id: 5 })]), everything);
  const kept = keepCategoryOrder(before, next);
  expect(kept.sections?.map(({ id }) => id)).toEqual([20, 10, 'none']);
  expect(kept.sections?.at(-1)?.cards).toEqual([5]);
  expect(kept.ids.at(-1)).toBe(5);
});

describe('while the user interacts with the board', () => {
  const first = [aClaim({ id: 1, respawn_id: 3 })];
  const then = (
    claims: Claim[],
    query = everything,
    there: (id: number) => boolean = () => true,
  ): BoardView =>
    keepPlaces(boardView(facts(first), query), boardView(facts(claims), query), there, (id) =>
      claims.some((claim) => claim.respawn_id === id),
    );

  test('a spot that is claimed or freed keeps its place; the counts change', () => {
    const view = then([aClaim({ id: 2, respawn_id: 1 })]);
    expect(places(view)).toEqual(places(boardView(facts(first), everything)));
    expect(view.sections?.map(({ claimed }) => claimed)).toEqual([[], [1], []]);
  });

  test('spots that no longer match disappear; new matches are added at the end of their section', () => {
    expect(
      then([...first, aClaim({ id: 2, respawn_id: 1 })], { ...everything, show: 'unclaimed' }).ids,
    ).toEqual([4, 1, 2, 5]);
    expect(
      then([...first, aClaim({ id: 2, respawn_id: 2 })], { ...everything, show: 'claimed' }).ids,
    ).toEqual([3, 2]);
    expect(
      then([aClaim({ id: 2, respawn_id: 5 })], { ...everything, sort: 'most_claims' }).ids,
    ).toEqual([3, 4, 1, 2, 5]);
  });

  test('a spot that was deleted disappears', () => {
    expect(then(first, everything, (id) => id !== 4).ids).toEqual([3, 2, 1, 5]);
  });
});
