import { expect, test } from 'vitest';
import type { Claim } from '../../../../shared/schemas/claim.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import { claimsByRespawn } from '../../../store/claims-by-respawn.ts';
import { aCategory, aClaim, anActiveEvent, aSpot } from '../../../test/records.ts';
import { type BoardFacts, type BoardQuery, boardView, isActiveNow, reuse } from './board-view.ts';

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
  };
}

test('spots are grouped by category, by name, the uncategorised last', () => {
  const { sections } = boardView(facts(), everything);
  expect(sections?.map(({ id, unclaimed }) => [id, unclaimed])).toEqual([
    [10, [4, 1]],
    [20, [3, 2]],
    ['none', [5]],
  ]);
});

test('a category tells its claimed spots from the others, and counts them whatever is filtered', () => {
  const [first] = boardView(facts([aClaim({ id: 1, respawn_id: 1 })]), { ...everything, search: 'cobra' }).sections ?? [];
  expect(first).toMatchObject({ claimed: [], unclaimed: [4], claimed_count: 1, count: 2 });
});

test('a disabled spot is not on the board, not even for an admin', () => {
  const hidden = { ...aSpot(6, 'Closed Mine', 10), is_enabled: 0 as const };
  expect(boardView({ ...facts(), respawns: [...spots, hidden] }, everything).ids).not.toContain(6);
});

test('a spot whose category is gone counts as uncategorised', () => {
  const orphan = aSpot(7, 'Orphan', 99);
  const { sections } = boardView({ ...facts(), respawns: [orphan] }, everything);
  expect(sections?.map(({ id, name }) => [id, name])).toEqual([['none', null]]);
});

test('the search finds spots by their name and by who claims them', () => {
  const board = facts([aClaim({ id: 1, respawn_id: 5, character_name: 'Mira Stormcrow' })]);
  expect(boardView(board, { ...everything, search: ' LIBRARY ' }).ids).toEqual([1]);
  expect(boardView(board, { ...everything, search: 'storm' }).ids).toEqual([5]);
});

test('Claimed and Free part the spots; Now shows those with somebody on them', () => {
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

test('a sort makes one flat list of it', () => {
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
  const board = facts([aClaim({ id: 1, respawn_id: 1, date: '2026-11-20' })]);
  expect(boardView(board, { ...everything, show: 'claimed' }).ids).toEqual([]);
  expect(boardView({ ...board, event: anActiveEvent() }, { ...everything, show: 'claimed' }).ids).toEqual([1]);
});

test('a claim is active from its start up to, not including, its end', () => {
  const claim = aClaim({ id: 1, respawn_id: 1, hour_start: 10, hour_end: 14 });
  const at = (hour: number, date = '2026-11-21'): boolean => isActiveNow(claim, { date, hour }, null);
  expect([at(9), at(10), at(13), at(14), at(12, '2026-11-22')]).toEqual([false, true, true, false, false]);
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
    facts([aClaim({ id: 1, respawn_id: 1 }), aClaim({ id: 2, respawn_id: 1, hour_start: 2, hour_end: 6 })]),
    everything,
  );
  expect(reuse(before, after)).toBe(before);
});

test('a change in one category leaves the other sections the same objects', () => {
  const before = boardView(facts(), everything);
  const after = reuse(before, boardView(facts([aClaim({ id: 1, respawn_id: 1 })]), everything));
  expect(after.sections?.[0]).not.toBe(before.sections?.[0]);
  expect(after.sections?.[1]).toBe(before.sections?.[1]);
});
