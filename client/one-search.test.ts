import { describe, expect, test } from 'vitest';
import { claimGroups } from './features/admin/claims/claim-groups.ts';
import { PEOPLE_SEARCH } from './features/admin/people/people-list.tsx';
import { peopleOf } from './features/admin/people/person.ts';
import { RESPAWN_SEARCH } from './features/admin/respawns/respawns-tab.tsx';
import { boardView } from './features/board/board-view.ts';
import { groupRespawns } from './features/claiming/respawn-picker.tsx';
import { wordsOf } from './lib/words/search.ts';
import { claimsByRespawn } from './state/board-store.ts';
import { aClaim, aKey, aSpot, aVerifiedCode } from './test/records.ts';

const TODAY = '2026-11-21';

/** On the board, in cards and on the timeline. */
function onBoard(spot: string, character: string, search: string): boolean {
  const facts = {
    respawns: [aSpot(1, spot)],
    categories: [],
    claimsByRespawn: claimsByRespawn([aClaim({ id: 1, respawn_id: 1, character_name: character })]),
  };
  const query = { search, show: 'all', sort: 'none', category: null } as const;
  return (
    boardView(
      {
        ...facts,
        event: null,
        now: { date: TODAY, hour: 0 },
        date: TODAY,
        own: { viewer: null, starred: new Set(), again: null },
      },
      query,
    ).ids.length > 0
  );
}

function amongClaims(spot: string, character: string, search: string): boolean {
  const index = claimsByRespawn([aClaim({ id: 1, respawn_id: 1, character_name: character })]);
  return (
    claimGroups(
      [index],
      new Map([[1, aSpot(1, spot)]]),
      { search, memberType: '', day: null },
      TODAY,
    ).length > 0
  );
}

/** Whether a search finds something of that name, on each screen that has one. */
const SCREENS: { [screen: string]: (name: string, search: string) => boolean } = {
  "the board, by a spot's name": (name, search) => onBoard(name, 'Nobody', search),
  "the board, by a claimant's name": (name, search) => onBoard('Nowhere', name, search),
  "the form's picker": (name, search) => groupRespawns([aSpot(1, name)], search).length > 0,
  "the admin's claims, by a spot's name": (name, search) => amongClaims(name, 'Nobody', search),
  "the admin's claims, by a claimant's name": (name, search) =>
    amongClaims('Nowhere', name, search),
  "the admin's keys": (name, search) =>
    peopleOf([aKey({ character_name: name })], [], new Map()).some((person) =>
      PEOPLE_SEARCH.matches(person, wordsOf(search)),
    ),
  "the admin's characters": (name, search) =>
    peopleOf([], [aVerifiedCode({ character_name: name })], new Map()).some((person) =>
      PEOPLE_SEARCH.matches(person, wordsOf(search)),
    ),
  "the admin's respawns": (name, search) => RESPAWN_SEARCH.matches(aSpot(1, name), wordsOf(search)),
};

describe.each(Object.entries(SCREENS))('%s', (_screen, finds) => {
  test.each([
    ['accents', 'camara', 'Câmara'],
    ['the apostrophe of a telephone', 'kor’thul', "Kor'Thul"],
    ['no apostrophe', 'korthul', 'Kor’Thul'],
    ['the order of words', 'vault asura', "Asura's Vault"],
    ['case', 'WEISS', 'Weiß'],
    ['signs that nobody sees', 'ing\u200bol', 'Ingol'],
  ])('minds not %s', (_what, search, name) => {
    expect(finds(name, search)).toBe(true);
  });

  test('minds each word', () => {
    expect(finds("Asura's Vault", 'asura mirror')).toBe(false);
  });
});

test('words of one search may name a spot and who claims it, but never two of those', () => {
  for (const search of [onBoard, amongClaims]) {
    expect(search('Asura Palace', 'Mira Stormcrow', 'storm palace')).toBe(true);
    expect(search('Asura Palace', 'Mira Stormcrow', 'bram palace')).toBe(false);
  }
  const two = claimsByRespawn([
    aClaim({ id: 1, respawn_id: 1, character_name: 'Old Bram' }),
    aClaim({ id: 2, respawn_id: 1, character_name: 'Mira Stormcrow' }),
  ]);
  const spots = new Map([[1, aSpot(1, 'Asura Palace')]]);
  expect(
    claimGroups([two], spots, { search: 'bram mira', memberType: '', day: null }, TODAY),
  ).toEqual([]);
});
