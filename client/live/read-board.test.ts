import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { omit } from '../../shared/omit.ts';
import { claimOnRespawns, splitClaimsOf } from '../../shared/rules/claim-parts.ts';
import { setCredentials } from '../api/request.ts';
import { clearBoard, useBoard } from '../state/board-store.ts';
import { useSession } from '../state/session-store.ts';
import { toggleStar, useStars } from '../state/stars.ts';
import { aClaim, aClaimOnRespawn, aClaimRow, anActiveEvent, aRespawn } from '../test/records.ts';
import { readBoard } from './read-board.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  clearBoard();
  setCredentials({ access_key: null, admin_token: null });
});

const CONFIG = {
  ss_time_zone: 'America/Los_Angeles',
  ss_hour: 1,
  server_time: '2026-11-21T18:00:00.000Z',
};
const none = (): Response => Response.json({ success: true, data: [] });
/** The mocked network: an empty board plus the records of a test. */
function answering(answers: {
  [path: string]: (method?: string) => Response | Promise<Response>;
}): void {
  const usual: typeof answers = {
    '/api/respawns': () => Response.json([], { headers: { ETag: 'W/"1f0c.5.16-42"' } }),
    '/api/events/active': () => Response.json({ code: 'event.noneActive' }, { status: 404 }),
    '/api/config': () => Response.json(CONFIG),
    '/api/admin/activity-log': () => Response.json({ success: true, data: { logs: [] } }),
  };
  vi.stubGlobal('fetch', async (address: string, { method }: RequestInit = {}) => {
    const [path = ''] = address.split('?');
    return (answers[path] ?? usual[path] ?? none)(method);
  });
}
const read = (asAdmin = false): Promise<string | null> =>
  readBoard(null, asAdmin ? 'admins' : 'members', () => false);

it('keeps the epoch and the clock from the ETag', async () => {
  answering({});
  expect(await read()).toBe('W/"1f0c.5.16-42"');
  expect(useBoard.getState()).toMatchObject({ epoch: '1f0c.5.16', clock: 42, status: 'ready' });
});

it('reads a split claim as the live connection sends it: whole and once', async () => {
  const split_parts = [
    { part_number: 1, respawn_id: 1, hour_start: 10, duration: 2 },
    { part_number: 2, respawn_id: 2, hour_start: 14, duration: 2 },
  ];
  const claim = aClaim({
    id: 8,
    respawn_id: 1,
    hour_start: 10,
    hour_end: 12,
    is_split_claim: 1,
    split_parts,
  });
  const split_claims = splitClaimsOf(claim);
  const rows = claimOnRespawns(claim).map((row) => ({ ...aClaimRow(row), split_claims }));
  const respawns = rows.map((row) => ({ ...aRespawn({ id: row.respawn_id }), claims: [row] }));
  answering({ '/api/respawns': () => Response.json(respawns) });
  await read();
  expect([...useBoard.getState().byKind.claim.values()]).toEqual([claim]);
});

it('reads a member’s own transfers and weekly claims, which an admin’s board contains', async () => {
  const transfer = {
    id: 3,
    kind: 'handover',
    claim_id: 8,
    for_claim_id: null,
    from: 'Mira Stormcrow',
    to: 'Arden Vale',
    wanted: null,
    offered: {
      respawn_id: 2,
      respawn_name: 'Cobra Bastion',
      date: '2026-11-22',
      hour_start: 15,
      hour_end: 17,
    },
    created_at: '2026-11-21T18:00:00.000Z',
    expires_at: '2026-11-22T18:00:00.000Z',
  };
  const weeklyClaim = {
    id: 5,
    respawn_id: 2,
    weekdays: [2],
    next_date: '2026-12-01',
    skipped: [{ date: '2026-11-24', code: 'claim.timeConflict' }],
  };
  const own = {
    '/api/transfers': () => Response.json({ success: true, data: [transfer] }),
    '/api/standing': () => Response.json({ success: true, data: [weeklyClaim] }),
  };
  setCredentials({ access_key: 'HUNT-TRAP-CAVE', admin_token: null });
  answering(own);
  await read();
  const known = () =>
    [useBoard.getState().byKind.transfer, useBoard.getState().byKind.standing_claim].map((all) => [
      ...all.values(),
    ]);
  expect(known()).toEqual([[transfer], [weeklyClaim]]);
  answering({});
  await read();
  expect(known()).toEqual([[], []]);
});

it('reads a member’s claims outside the active event', async () => {
  const arden = {
    characterName: 'Arden Vale',
    memberType: 'member',
    accessKey: 'HUNT-TRAP-CAVE',
    isVerified: true,
    createdAt: '',
  };
  useSession.setState({ current: arden, profiles: [arden] });
  setCredentials({ access_key: arden.accessKey, admin_token: null });
  const row = aClaimOnRespawn({ id: 8, character_name: 'Arden Vale' });
  const claim = omit(row, 'split_group_id', 'split_part_number');
  const own = { ...claim, first_date: '2026-11-21', last_date: '2026-11-21', event_name: null };
  const event = () => Response.json({ success: true, data: anActiveEvent() });
  const starless = {
    '/api/stars': () => Response.json({ success: true, data: { epoch: 'a', clock: 1, ids: [] } }),
  };
  answering({
    ...starless,
    '/api/events/active': event,
    '/api/claims/mine': () => Response.json({ success: true, data: [own] }),
  });
  await read();
  const known = () => [...useBoard.getState().outsideClaims.values()].flat().map(({ id }) => id);
  expect(known()).toEqual([8]);
  // Without an active event, the board has them all.
  answering(starless);
  await read();
  expect(known()).toEqual([]);
  useSession.setState({ current: null, profiles: [] });
});

describe('the stars of the member', () => {
  const arden = {
    characterName: 'Arden Vale',
    memberType: 'member',
    accessKey: 'HUNT-TRAP-CAVE',
    isVerified: true,
    createdAt: '',
  };
  const sent = (clock: number, ...ids: number[]) =>
    Response.json({ success: true, data: { epoch: 'a', clock, ids } });
  const stars = () => [...useStars.getState().ids];
  beforeEach(() => {
    useSession.setState({ current: arden });
    setCredentials({ access_key: arden.accessKey, admin_token: null });
  });
  afterEach(() => {
    useSession.setState({ current: null });
    localStorage.clear();
  });

  it('are read with the board, whose ETag counts them, and by no call while it is unchanged', async () => {
    answering({ '/api/stars': () => sent(1, 4, 2) });
    const etag = await read();
    expect(stars()).toEqual([4, 2]);
    const unchanged = () => new Response(null, { status: 304 });
    const onStars = vi.fn(() => sent(2, 4));
    answering({ '/api/respawns': unchanged, '/api/stars': onStars });
    expect(await readBoard(etag, 'members', () => false)).toBe(etag);
    expect(onStars).not.toHaveBeenCalled();
    answering({ '/api/stars': () => sent(3, 4, 6) });
    await readBoard(etag, 'members', () => true);
    expect(stars()).toEqual([4, 2]);
  });

  it('are read again with the next poll if their call failed', async () => {
    answering({ '/api/stars': () => new Response('Bad Gateway', { status: 502 }) });
    await expect(read()).rejects.toMatchObject({ name: 'LoadError' });
  });

  it('are not those of a reading that is older than a press', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const onStars = vi.fn((method?: string) => (method === 'POST' ? sent(2, 4, 7) : sent(1, 4)));
    answering({ '/api/stars': onStars, '/api/categories': () => promise.then(none) });
    const reading = read();
    await vi.waitFor(() => expect(onStars).toHaveBeenCalledTimes(1));
    await toggleStar(7);
    expect(stars()).toEqual([4, 7]);
    resolve();
    await reading;
    expect(stars()).toEqual([4, 7]);
  });

  it('end with the session if the key no longer holds', async () => {
    answering({
      '/api/stars': () =>
        Response.json({ code: 'session.keyRevoked', error: 'x', params: {} }, { status: 403 }),
    });
    await expect(read()).rejects.toMatchObject({ name: 'ApiError', code: 'session.keyRevoked' });
  });
});

it('reads no own records for a visitor, whom the server would refuse them', async () => {
  const refused = () =>
    Response.json({ code: 'session.required', error: 'x', params: {} }, { status: 401 });
  answering({ '/api/standing': refused });
  await read();
  expect(useBoard.getState().status).toBe('ready');
});

const away = (): Response => new Response('<html>Bad gateway</html>', { status: 502 });

it.each([
  ['/api/respawns', 'respawns', false],
  ['/api/categories', 'categories', false],
  ['/api/member-types', 'memberTypes', false],
  ['/api/config', 'config', false],
  ['/api/events', 'adminData', true],
  ['/api/admin/access-keys', 'accessKeys', true],
  ['/api/admin/verified-codes', 'verifiedCodes', true],
  ['/api/admin/respawns', 'adminRespawns', true],
  ['/api/admin/activity-log', 'adminData', true],
])('names what could not be loaded: %s', async (path, load, asAdmin) => {
  answering({ [path]: away });
  await expect(read(asAdmin)).rejects.toMatchObject({
    name: 'LoadError',
    load,
    reason: { status: 502, responseText: 'Bad gateway' },
  });
  expect(useBoard.getState().status).toBe('empty');
});

it.each([
  ['null', null],
  ['object', {}],
  ['undefined', undefined],
  ['string', 'sign in'],
])('takes nothing but a list for categories: %s', async (got, data) => {
  answering({ '/api/categories': () => Response.json({ success: true, data }) });
  await expect(read()).rejects.toMatchObject({
    load: 'categories',
    reason: { name: 'FormatError', got },
  });
});

it("leaves a refusal that ends the session as it is, so that it is not taken for the network's fault", async () => {
  answering({
    '/api/respawns': () =>
      Response.json({ code: 'session.keyRevoked', error: 'x', params: {} }, { status: 403 }),
  });
  await expect(read()).rejects.toMatchObject({ name: 'ApiError', code: 'session.keyRevoked' });
});

it('logs an active event that could not be read, and keeps the last known one', async () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const event = { id: 3, name: 'Double week' };
  answering({ '/api/events/active': () => Response.json({ success: true, data: event }) });
  await read();
  answering({ '/api/events/active': away });
  await read();
  expect(useBoard.getState().byKind.event.get(3)).toMatchObject(event);
  expect(logged.mock.lastCall?.[0]).toMatchObject({ message: 'Failed to fetch active event' });
  // A page in our server's place that is not found says nothing of the event either.
  answering({ '/api/events/active': () => new Response('Not found', { status: 404 }) });
  await read();
  expect(useBoard.getState().byKind.event.get(3)).toMatchObject(event);
  logged.mockRestore();
});
