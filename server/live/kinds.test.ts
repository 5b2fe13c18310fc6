import { describe, expect, it, vi } from 'vitest';
import { setCredentials } from '../../client/api/request.ts';
import { readBoard } from '../../client/live/read-board.ts';
import { clearBoard, useBoard } from '../../client/store/board-store.ts';
import { ADMIN_KINDS, CONFIG_ID, isForMembers, type Kind, MEMBER_KINDS, type RecordByKind, recordId } from '../../shared/kinds.ts';
import type { HandshakeAuth, Snapshot } from '../../shared/live.ts';
import type { RecordId } from '../../shared/record-table.ts';
import {
  aClaim,
  aDestination,
  aKey,
  aMemberType,
  aName,
  anActiveEvent,
  anEvent,
  aRespawn,
  aWait,
  disableRespawn,
  noActiveEvent,
  submitted,
} from '../test/builders.ts';
import { databases } from '../test/databases.ts';
import { createSuiteApp, type TestApp } from '../test/test-app.ts';
import { Watcher } from '../test/watcher.ts';
import { readSnapshot } from './snapshot.ts';

/** Makes, or changes, records of each kind by calls; where members see only some of them, one that they do not see, too. */
const MAKE: { readonly [K in Kind]: (app: TestApp) => Promise<RecordId[]> } = {
  claim: async (app) => {
    const key = await aKey(app);
    const { id: respawn_id } = await aRespawn(app);
    return (await submitted(app, key, aClaim(key, { respawn_id }))).map(({ id }) => id);
  },
  respawn: async (app) => {
    const [shown, disabled] = [await aRespawn(app), await aRespawn(app)];
    await disableRespawn(app, disabled.id);
    return [shown.id, disabled.id];
  },
  category: async (app) => [
    (
      await app.api
        .post('/categories')
        .set(app.admin)
        .send({ name: aName('Category') })
        .expect(201)
    ).body.data.id,
  ],
  member_type: async (app) => [await aMemberType(app)],
  event: async (app) => {
    await noActiveEvent(app);
    return [(await anActiveEvent(app)).id, (await anEvent(app)).id];
  },
  config: async (app) => {
    await app.api
      .put('/admin/config')
      .set(app.admin)
      .send({ guild_name: aName('Guild') })
      .expect(200);
    return [CONFIG_ID];
  },
  wait: async (app) => {
    const [holder, next] = [await aKey(app), await aKey(app)];
    const { id: respawn_id } = await aRespawn(app);
    await submitted(app, holder, aClaim(holder, { respawn_id }));
    return [(await aWait(app, next, { respawn_id })).id];
  },
  access_key: async (app) => [(await aKey(app)).id],
  verified_code: async (app) => [
    (await app.api.post('/admin/verify-character').set(app.admin).send({ character_name: 'Sir Aldo' })).body.data.id,
  ],
  destination: async (app) => [(await aDestination(app)).id],
  event_template: async (app) => {
    const body = { event_id: (await anEvent(app)).id, name: 'Week {n}' };
    return [(await app.api.post('/admin/event-templates').set(app.admin).send(body).expect(201)).body.data.id];
  },
  activity: async (app) => {
    await aMemberType(app);
    return [(await app.api.get('/admin/activity-log?limit=1').set(app.admin).expect(200)).body.data.logs[0].id];
  },
};

type Seen = { readonly [K in Kind]?: ReadonlyMap<RecordId, RecordByKind[K]> };
const byIds = <K extends Kind>(kind: K, records: readonly RecordByKind[K][]): Map<RecordId, RecordByKind[K]> =>
  new Map(records.map((record) => [recordId(kind, record), record]));
/** What there is of each kind; a kind without a record is left out. */
const seenIn = (lists: Snapshot): Seen =>
  Object.fromEntries(ADMIN_KINDS.map((kind) => [kind, byIds(kind, lists[kind] ?? [])] as const).filter(([, all]) => all.size > 0));

/** The same board by each way there is to it. */
async function everyWay(app: TestApp, headers: Record<string, string>, auth: HandshakeAuth, held: Watcher): Promise<Record<string, Seen>> {
  await held.reached(app.ctx.bus.clock());
  const fresh = new Watcher(app.url, auth);
  await fresh.connect();
  const { body } = await app.api.get('/snapshot').set(headers).expect(200);
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('location', { hostname: 'claimboard.test' });
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(`${app.url}${path}`, init));
  setCredentials({ access_key: auth.access_key ?? null, admin_token: auth.admin_token ?? null });
  clearBoard();
  await readBoard(null, auth.admin_token !== undefined, () => false);
  vi.unstubAllGlobals();
  const listsOf = ({ byKind }: Pick<ReturnType<typeof useBoard.getState>, 'byKind'>): Snapshot =>
    Object.fromEntries(ADMIN_KINDS.map((kind) => [kind, [...byKind[kind].values()]]));
  const read = await readSnapshot(app.ctx, auth.admin_token === undefined ? 'members' : 'admins');
  return {
    'as it is read now': seenIn(read.snapshot),
    'by changes': seenIn(listsOf(held.board)),
    'by a snapshot over the live connection': seenIn(listsOf(fresh.board)),
    'by a snapshot over REST': seenIn(body.data.snapshot),
    'by the calls of the fallback': seenIn(listsOf(useBoard.getState())),
  };
}

describe.each(databases)('each kind of record on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it.each(ADMIN_KINDS)('%s: whoever may see it gets it by every way to the board, whoever may not by none', async (kind) => {
    const key = await aKey(app);
    const admin_token = app.admin.Authorization.replace('Bearer ', '');
    const [member, admin] = [new Watcher(app.url, { access_key: key.key_value }), new Watcher(app.url, { admin_token })];
    await Promise.all([member.connect(), admin.connect()]);
    const made = await MAKE[kind](app);
    const ofAdmin = await everyWay(app, app.admin, { admin_token }, admin);
    const ofMember = await everyWay(app, { 'X-Access-Key': key.key_value }, { access_key: key.key_value }, member);
    expect(made.length).toBeGreaterThan(0);
    const all = new Map<RecordId, RecordByKind[Kind]>(ofAdmin['by a snapshot over REST']?.[kind]);
    expect(made.filter((id) => !all.has(id))).toEqual([]);
    const forMembers = new Map([...all].filter(([, record]) => isForMembers(kind, record)));
    const isOfMembers = new Set<Kind>(MEMBER_KINDS).has(kind);
    expect(forMembers.size > 0, 'some for members').toBe(isOfMembers);
    for (const [way, seen] of Object.entries(ofAdmin)) expect(seen[kind], `an admin, ${way}`).toEqual(all);
    for (const [way, seen] of Object.entries(ofMember))
      expect(seen[kind], `a member, ${way}`).toEqual(isOfMembers ? forMembers : undefined);
  });
});
