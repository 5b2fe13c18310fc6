import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RecordTable } from '../../../shared/record-table.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { readPush } from '../../offline/push-store.ts';
import { clearBoard, useBoard } from '../../state/board-store.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { readStoredPush, storePush, useStoredPush } from '../../state/stored-push.ts';
import {
  aPushSubscription,
  endPushWorld,
  type PushWorld,
  SERVER_KEY,
  startPushWorld,
} from '../../test/push.ts';
import './notices.tsx';
import { turnOff } from './device.ts';
import { NoticesHost } from './notices-host.tsx';

// Load the lazy module before the first test's timeout starts.

const profile = (characterName: string, accessKey: string): Profile => ({
  characterName,
  accessKey,
  memberType: 'member',
  isVerified: true,
  createdAt: '',
});
const arden = profile('Arden Vale', 'ARDENS-KEY');
const mira = profile('Mira Stormcrow', 'MIRAS-KEY');
const ENDPOINT = 'https://push.example/first';

let world: PushWorld;
beforeEach(async () => {
  world = startPushWorld();
  world.permission = 'granted';
  world.subscription = aPushSubscription({ endpoint: ENDPOINT });
  await storePush({
    endpoint: ENDPOINT,
    public_key: SERVER_KEY,
    language: 'en',
    unreadable: { title: '', body: '' },
    members: [arden, mira].map(({ characterName: name, accessKey: access_key }) => ({
      name,
      access_key,
    })),
  });
  for (const { accessKey } of [arden, mira]) world.subscribed.add(`${accessKey} ${ENDPOINT}`);
  signIn(arden, mira);
});
afterEach(() => {
  cleanup();
  endPushWorld();
  clearBoard();
  useSession.setState({ status: 'checking', profiles: [], current: null, admin: null });
});

const signIn = (...profiles: Profile[]): void =>
  useSession.setState({ status: 'ready', profiles, current: profiles[0] ?? null });
const subscribed = (): string[] => [...world.subscribed].sort();
const here = (): string => `${world.subscription?.endpoint}`;

function Address(): ReactNode {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}
/** A start of the page, to the end of what it looks after. */
async function start(): Promise<void> {
  render(
    <MemoryRouter>
      <NoticesHost />
      <Address />
    </MemoryRouter>,
  );
  await flush();
}
/** As many turns as all that waits for the fake far ends takes. */
async function flush(): Promise<void> {
  for (let calls = -1; calls !== world.calls.length; ) {
    calls = world.calls.length;
    await act(async () => void (await new Promise((resolve) => setTimeout(resolve, 0))));
  }
}

test('a start confirms the subscription with the server and leaves it unchanged', async () => {
  await start();
  await waitFor(() =>
    expect(world.calls).toEqual([
      'GET /push/key ARDENS-KEY',
      'POST /push/subscriptions ARDENS-KEY',
      'POST /push/subscriptions MIRAS-KEY',
    ]),
  );
  expect(here()).toBe(ENDPOINT);
  expect((await readStoredPush())?.unreadable.title).toBe('News from Claimboard');
});

test('a subscription that the server has forgotten is made again, for each character', async () => {
  world.subscribed.clear();
  await start();
  await waitFor(() => expect(here()).not.toBe(ENDPOINT));
  await waitFor(() =>
    expect(subscribed()).toEqual([`ARDENS-KEY ${here()}`, `MIRAS-KEY ${here()}`]),
  );
  expect((await readStoredPush())?.endpoint).toBe(here());
});

test('one for another key of the server is made again', async () => {
  world.serverKey = 'BAECBA';
  await start();
  await waitFor(() => expect(here()).not.toBe(ENDPOINT));
  await waitFor(() =>
    expect(subscribed()).toEqual([`ARDENS-KEY ${here()}`, `MIRAS-KEY ${here()}`]),
  );
});

test('one that the browser has lost is made again', async () => {
  world.subscription = null;
  await start();
  await waitFor(() =>
    expect(subscribed()).toEqual([`ARDENS-KEY ${here()}`, `MIRAS-KEY ${here()}`]),
  );
});

test('without the permission no subscription is made, and none is requested', async () => {
  world.permission = 'default';
  world.subscription = null;
  await start();
  expect([world.subscription, world.timesAsked]).toEqual([null, 0]);
});

test('signing out stops notifications; the last character removes subscription and keys', async () => {
  await start();
  act(() => signIn(mira));
  await waitFor(() => expect(subscribed()).toEqual([`MIRAS-KEY ${ENDPOINT}`]));
  await waitFor(() =>
    expect(useStoredPush.getState().kept?.members).toEqual([
      { name: 'Mira Stormcrow', access_key: 'MIRAS-KEY' },
    ]),
  );
  act(() => signIn());
  await waitFor(() => expect(useStoredPush.getState().kept).toBeNull());
  expect(subscribed()).toEqual([]);
  expect(await readPush()).toBeNull();
  expect(localStorage.getItem('push')).toBeNull();
});

test.each([
  ['signing out', async () => act(() => signIn(mira))],
  ['turning notifications off', () => turnOff(arden)],
])('%s also removes an address that the service worker renewed meanwhile', async (_, leave) => {
  await start();
  const RENEWED = 'https://push.example/renewed';
  world.subscription = aPushSubscription({ endpoint: RENEWED });
  world.subscribed = new Set([arden, mira].map(({ accessKey }) => `${accessKey} ${RENEWED}`));
  await leave();
  await waitFor(() => expect(subscribed()).toEqual([`MIRAS-KEY ${RENEWED}`]));
});

test('a profile that went while no page was open is noticed at the next start, also without a server', async () => {
  world.failures.set('DELETE /push/subscriptions', { status: 0, code: '' });
  signIn(mira);
  await start();
  await waitFor(() =>
    expect(useStoredPush.getState().kept?.members.map(({ name }) => name)).toEqual([
      'Mira Stormcrow',
    ]),
  );
});

test('the server learns of signed-out characters when it can be reached, unless they are back', async () => {
  useBoard.setState({ connection: 'offline' });
  await start();
  world.failures.set('DELETE /push/subscriptions', { status: 0, code: '' });
  act(() => signIn(mira));
  await waitFor(() =>
    expect(useStoredPush.getState().kept?.leaving).toEqual([
      { endpoint: ENDPOINT, access_key: 'ARDENS-KEY' },
    ]),
  );
  expect(subscribed()).toContain(`ARDENS-KEY ${ENDPOINT}`);
  world.failures.clear();
  act(() => useBoard.setState({ connection: 'live' }));
  await waitFor(() => expect(subscribed()).toEqual([`MIRAS-KEY ${ENDPOINT}`]));
  await waitFor(() => expect(useStoredPush.getState().kept?.leaving).toEqual([]));

  useBoard.setState({ connection: 'offline' });
  world.subscribed.add(`ARDENS-KEY ${ENDPOINT}`);
  const kept = await readStoredPush();
  if (!kept) throw new Error('nothing is kept');
  const members = [...kept.members, { name: 'Arden Vale', access_key: 'ARDENS-KEY' }];
  await storePush({
    ...kept,
    members,
    leaving: [{ endpoint: ENDPOINT, access_key: 'ARDENS-KEY' }],
  });
  act(() => useBoard.setState({ connection: 'live' }));
  await waitFor(() => expect(useStoredPush.getState().kept?.leaving).toEqual([]));
  expect(subscribed()).toContain(`ARDENS-KEY ${ENDPOINT}`);
});

test('keeps the last ten signed-out characters', async () => {
  world.failures.set('DELETE /push/subscriptions', { status: 0, code: '' });
  const kept = await readStoredPush();
  if (!kept) throw new Error('nothing is kept');
  const leaving = Array.from({ length: 10 }, (_, n) => ({
    endpoint: ENDPOINT,
    access_key: `GONE-${n}`,
  }));
  await storePush({ ...kept, leaving });
  signIn(mira);
  await start();
  const keys = ['ARDENS-KEY', ...leaving.slice(0, 9).map(({ access_key }) => access_key)];
  await waitFor(() =>
    expect(useStoredPush.getState().kept?.leaving?.map(({ access_key }) => access_key)).toEqual(
      keys,
    ),
  );
});

test('a notice of an offer is closed with the offer, and no other one', async () => {
  const hours = {
    respawn_id: 1,
    event_id: null,
    date: '2026-11-21',
    hour_start: 10,
    hour_end: 14,
    min_hours: 1,
  };
  const who = {
    character_name: 'Arden Vale',
    member_type: 'member',
    position: 1,
    created_at: '',
    held_claim_id: null,
    held_until: null,
  };
  const wait = (id: number, status: Wait['status']) =>
    [id, { ...hours, ...who, id, status }] as const;
  const board = (...waits: (readonly [number, Wait])[]) =>
    useBoard.setState((before) => ({
      status: 'ready',
      connection: 'live',
      byKind: { ...before.byKind, wait: RecordTable.of(waits) },
    }));
  world.notices = new Set(['hold-1', 'hold-2', 'claims']);
  await start();
  // Nothing is known yet.
  expect(world.notices.size).toBe(3);
  act(() => board(wait(1, 'offered'), wait(2, 'offered'), wait(3, 'waiting')));
  await flush();
  expect([...world.notices]).toEqual(['hold-1', 'hold-2', 'claims']);
  act(() => board(wait(1, 'waiting'), wait(2, 'offered')));
  await waitFor(() => expect([...world.notices]).toEqual(['hold-2', 'claims']));
  act(() => board(wait(1, 'waiting')));
  await waitFor(() => expect([...world.notices]).toEqual(['claims']));
});

test('a character whose key was replaced is identified by the new key', async () => {
  signIn({ ...arden, accessKey: 'NEW-KEY' }, mira);
  await start();
  await waitFor(() => expect(subscribed()).toContain(`NEW-KEY ${here()}`));
  expect((await readStoredPush())?.members.map(({ access_key }) => access_key)).toEqual([
    'NEW-KEY',
    'MIRAS-KEY',
  ]);
});

test('a key that holds no more does not keep the others from being told', async () => {
  world.subscribed.clear();
  world.failures.set('POST /push/subscriptions ARDENS-KEY', {
    status: 401,
    code: 'session.invalidKey',
  });
  await start();
  await waitFor(() => expect(subscribed()).toEqual([`MIRAS-KEY ${here()}`]));
  expect(here()).not.toBe(ENDPOINT);
});

test('a press on a notice navigates the open page, which confirms it', async () => {
  await start();
  const port = { postMessage: vi.fn() };
  const say = (data: unknown): void => {
    act(
      () =>
        void world.messages.dispatchEvent(
          Object.assign(new Event('message'), { data, ports: [port] }),
        ),
    );
  };
  say({ kind: 'open', address: '/mine?wait=5' });
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('/mine?wait=5'));
  expect(port.postMessage).toHaveBeenCalledOnce();
  say({ kind: 'open', address: '//elsewhere.example' });
  say({ kind: 'something else' });
  say(null);
  expect(screen.getByRole('status').textContent).toBe('/mine?wait=5');
});

test('the push code is not loaded in a browser without a subscription', async () => {
  await storePush({
    endpoint: '',
    public_key: '',
    language: 'en',
    unreadable: { title: '', body: '' },
    members: [],
  });
  world.calls = [];
  await start();
  expect(world.calls).toEqual([]);
});
