import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import { MemoryRouter } from 'react-router-dom';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isLong, sized } from '../server/dev/test/scope.ts';
import type { Snapshot } from '../shared/live.ts';
import { serverSaveTime } from '../shared/rules/server-save.ts';
import type { Event } from '../shared/schemas/event.ts';
import { Pages } from './app.tsx';
import { BoardContexts } from './features/shell/page-frame.tsx';
import { applySnapshot, clearBoard } from './state/board-store.ts';
import { useSession } from './state/session-store.ts';
import {
  aCategory,
  aClaim,
  aConfig,
  aKey,
  anActiveEvent,
  anEntry,
  aSpot,
  aType,
  aVerifiedCode,
} from './test/records.ts';

/** The pages and what their addresses may carry. */
const PAGES: { [path: string]: readonly string[] } = {
  '/': [
    'view',
    'search',
    'show',
    'sort',
    'categoryFilter',
    'date',
    'photoMode',
    'free',
    'for',
    'claim',
  ],
  '/input': ['respawn', 'date', 'hour', 'hours'],
  '/admin/input': ['respawn', 'date', 'hour', 'hours'],
  '/mine': ['wait'],
  '/notifications': [],
  '/statistics': ['event', 'from', 'to'],
  '/login': ['type'],
  '/admin/login': [],
  '/invite': [],
  '/verify': [],
  '/verify/*': [],
  '/admin/dashboard/*': [],
  '/admin/dashboard/events': [],
  '/admin/dashboard/activity': ['action', 'admin', 'from', 'to'],
  '/admin/dashboard/members': [],
  '/admin/dashboard/keys': ['search', 'type', 'active', 'discord', 'verification', 'sort'],
  '/admin/dashboard/verified': ['search', 'status', 'sort'],
  '/admin/dashboard/claims': ['search', 'type', 'day', 'view', 'reason', 'from', 'to', 'outside'],
  '/admin/dashboard/respawns': ['search', 'category', 'enabled', 'sort'],
  '/admin/dashboard/categories': [],
  '/admin/dashboard/settings/*': [],
  '/admin/dashboard/settings/admins': ['role'],
  '/*': [],
};
const KNOWN = new Set(Object.values(PAGES).flat());

// The code of the pages that come later, fetched and compiled once; no test waits for it however busy the machine is.
await Promise.all([
  import('./features/admin/dashboard.tsx'),
  import('./features/admin/activity/activity-tab.tsx'),
  import('./features/admin/admins/admins-tab.tsx'),
  import('./features/admin/categories/categories-tab.tsx'),
  import('./features/admin/claims/claims-tab.tsx'),
  import('./features/admin/people/people-list.tsx'),
  import('./features/admin/members/members-tab.tsx'),
  import('./features/admin/respawns/respawns-tab.tsx'),
  import('./features/session/invite-page.tsx'),
  import('./features/session/login-page.tsx'),
  import('./features/my-claims/my-claims-page.tsx'),
  import('./features/notifications/notifications-page.tsx'),
  import('./features/statistics/statistics-page.tsx'),
  import('./features/statistics/plots.tsx'),
  import('./features/submit/submit-page.tsx'),
  import('./features/session/verify/verify-page.tsx'),
]);

// What each page reads from its address.
const getSpy = vi.spyOn(URLSearchParams.prototype, 'get');
afterAll(() => getSpy.mockRestore());

const member = {
  characterName: 'Arden Vale',
  memberType: 'member',
  accessKey: 'K7QM-2F9A-XW3C',
  isVerified: true,
  createdAt: '',
};
const EVENTS: readonly (readonly Event[])[] = [
  [],
  [anActiveEvent()],
  [anActiveEvent({ type: 'single_claim' })],
];

beforeEach(() => {
  vi.stubGlobal('fetch', async (path: string) =>
    path.startsWith('/api/admin/activity-log')
      ? Response.json({ success: true, data: { logs: [anEntry()], total: 1, filtered: 1 } })
      : Response.json(
          { error: 'Not found', code: 'request.notFound', params: {} },
          { status: 404 },
        ),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  useSession.setState({ status: 'checking', profiles: [], current: null, admin: null, ended: [] });
  clearBoard();
});

async function open(
  address: string,
  event: readonly Event[] = [],
  more: Snapshot = {},
): Promise<void> {
  // Pages for visitors redirect a signed-in member.
  const visitor = address.startsWith('/login') || address.startsWith('/admin/login');
  useSession.setState({
    status: 'ready',
    ...(visitor
      ? { current: null, profiles: [], admin: null }
      : {
          current: member,
          profiles: [member],
          admin: { username: 'Thora', token: 'T', role: 'owner' },
        }),
  });
  applySnapshot(1, {
    respawn: [aSpot(1, 'Fire Library', 1), aSpot(2, 'Old Well')],
    category: [aCategory(1, 'Ankrahmun')],
    claim: [aClaim({ id: 1, respawn_id: 1 })],
    member_type: [aType('member')],
    event,
    config: [aConfig({ has_discord_app: 1 })],
    access_key: [aKey()],
    verified_code: [aVerifiedCode()],
    activity: [anEntry(), anEntry({ id: 2, timestamp: '2026-11-21T13:00:00.000Z' })],
    ...more,
  });
  render(
    <MemoryRouter initialEntries={[address]}>
      <BoardContexts>
        <Pages />
      </BoardContexts>
    </MemoryRouter>,
  );
  await act(async () => {});
}

const expectAPage = (address: string): void => {
  const text = document.querySelector('main')?.textContent ?? '';
  expect(text, address).not.toBe('');
  expect(text, address).not.toContain('Something went wrong on this page');
};

/** What people, programs and broken links put in the place of a value. */
const WORDS = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  'true',
  '99999999999999999999',
  '2026-99-99',
  '2026-02-30',
  '0000-00-00',
  '0000-01-01',
  '0002-11-21',
  '9999-12-31',
  '2026-11-21',
  '275760-09-13',
  'all',
  'none',
  'timeline',
  'most_claims',
  '-created',
  'verified-first',
  '__proto__',
  'constructor',
  '-toString',
  'claim_deleted',
  '[',
  '%',
  '\u0000',
  '<b>',
  'a'.repeat(3_000),
];
const value = fc
  .oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'grapheme' }), fc.nat().map(String))
  .map((text) => text.toWellFormed());
/** As the address stores it, or as a person typed it. */
const written = fc.oneof(
  { weight: 3, arbitrary: value.map(encodeURIComponent) },
  fc.constantFrom('%', '%E0%A4%A', '%00', '..', '+', 'a b'),
);

const anAddress = (page: string, names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      written,
      fc.array(fc.tuple(fc.constantFrom(...names, 'toString', 'utm_source'), written), {
        maxLength: 5,
      }),
      written,
    )
    .map(
      ([part, query, hash]) =>
        `${page.replace('*', part)}?${query.map(([name, text]) => `${name}=${text}`).join('&')}#${hash}`,
    );

/** In `npm test` each page is tried with a quarter of the words, and the next page with the next quarter. */
const wordsOf = (page: string): readonly string[] =>
  isLong ? WORDS : WORDS.filter((_, at) => at % 4 === Object.keys(PAGES).indexOf(page) % 4);

// An error that React catches is logged to the console, which fails the test.
test.each(Object.entries(PAGES))('no address of %s crashes it', async (page, names) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  // A lazy page is loaded after its first render.
  await open(page);
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull(), { timeout: 20_000 });
  cleanup();
  for (const word of names.length > 0 ? wordsOf(page) : []) {
    const address = `${page}?${new URLSearchParams(names.map((name) => [name, word]))}`;
    await open(address);
    expectAPage(address);
    cleanup();
  }
  await fc.assert(
    fc.asyncProperty(anAddress(page, names), fc.constantFrom(...EVENTS), async (address, event) => {
      try {
        await open(address, event);
        expectAPage(address);
      } finally {
        cleanup();
      }
    }),
    { numRuns: sized(3, 10) },
  );
  const everAsked = new Set(getSpy.mock.calls.map(([name]) => name));
  const untried = [...everAsked].filter((name) => !KNOWN.has(name));
  expect(untried, `${page} asks its address for something that is not tried here`).toEqual([]);
});

/** Property names that every plain object inherits. */
const OBJECT_NAMES = Object.getOwnPropertyNames(Object.prototype);
const { date: today } = serverSaveTime(new Date(), {
  ss_time_zone: 'America/Los_Angeles',
  ss_hour: 1,
});
const namedAfterProperties: Snapshot = {
  respawn: OBJECT_NAMES.map((name, at) => aSpot(at + 1, name, at + 1)),
  category: OBJECT_NAMES.map((name, at) => aCategory(at + 1, name)),
  claim: OBJECT_NAMES.map((name, at) =>
    aClaim({
      id: at + 1,
      respawn_id: at + 1,
      character_name: name,
      member_type: name,
      date: today,
    }),
  ),
  // Every other one is the name of a type that was deleted.
  member_type: [
    aType('member'),
    ...OBJECT_NAMES.filter((_, at) => at % 2 === 0).map((name) => aType(name, { is_system: 0 })),
  ],
  access_key: OBJECT_NAMES.map((name, at) =>
    aKey({ id: at + 1, character_name: name, member_type: name }),
  ),
  verified_code: OBJECT_NAMES.map((name, at) =>
    aVerifiedCode({ id: at + 1, character_name: name, member_type: name }),
  ),
};

test.each([
  ...Object.keys(PAGES),
  '/?view=timeline',
  '/?view=watch',
  '/?sort=most_claims',
  '/?photoMode=true',
])('no name of a type, character, category or spot crashes %s', async (address) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  await open(address, [], namedAfterProperties);
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull(), { timeout: 20_000 });
  expectAPage(address);
  cleanup();
});
