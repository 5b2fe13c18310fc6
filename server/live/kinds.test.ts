import { describe, expect, it, vi } from 'vitest';
import { setCredentials } from '../../client/api/request.ts';
import { readBoard } from '../../client/live/read-board.ts';
import { clearBoard, useBoard } from '../../client/state/board-store.ts';
import {
  ALL_KINDS,
  CONFIG_ID,
  isForMembers,
  KINDS_SEEN,
  type Kind,
  type RecordByKind,
  type Room,
  recordId,
} from '../../shared/kinds.ts';
import type { HandshakeAuth, Snapshot } from '../../shared/live.ts';
import type { RecordId } from '../../shared/record-table.ts';
import type { AdminRole } from '../../shared/rules/roles.ts';
import { standingRecordsOf } from '../board/standing/records.ts';
import {
  aClaim,
  aDestination,
  aKey,
  aMemberType,
  aName,
  anActiveEvent,
  anAdmin,
  anEvent,
  aRespawn,
  asMember,
  aWait,
  change,
  disableRespawn,
  noActiveEvent,
  submitted,
} from '../dev/test/builders.ts';
import { databases, usualDatabases } from '../dev/test/databases.ts';
import { createSuiteApp, NOW, type TestApp, TODAY } from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';

/** Creates or changes records of each kind by calls; if members see only some of a kind, also one that they do not see. */
const MAKE: { readonly [K in Kind]: (app: TestApp) => Promise<RecordId[]> } = {
  claim: async (app) => {
    const key = await aKey(app);
    const { id: respawn_id } = await aRespawn(app);
    return (await submitted(app, key, aClaim(key, { respawn_id }))).map(({ id }) => id);
  },
  respawn: async (app) => {
    const visible = await aRespawn(app);
    const disabled = await aRespawn(app);
    await disableRespawn(app, disabled.id);
    return [visible.id, disabled.id];
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
    const holder = await aKey(app);
    const next = await aKey(app);
    const { id: respawn_id } = await aRespawn(app);
    await submitted(app, holder, aClaim(holder, { respawn_id }));
    return [(await aWait(app, next, { respawn_id })).id];
  },
  transfer: async (app) => {
    await app.api.put('/admin/config').set(app.admin).send({ transfers_enabled: 1 }).expect(200);
    const from = await aKey(app);
    const to = await aKey(app);
    const [claim] = await submitted(
      app,
      from,
      aClaim(from, { respawn_id: (await aRespawn(app)).id }),
    );
    const offer = app.api
      .post(`/claims/${claim?.id}/handover`)
      .set(asMember(from))
      .send({ to: to.character_name });
    return [(await offer.expect(201)).body.data.id];
  },
  // A claim in a copy of the active event that begins a day later.
  occupancy: async (app) => {
    const key = await aKey(app);
    const [claim] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: (await aRespawn(app)).id }),
    );
    const copy = { name: aName('Event'), start_time: '2026-11-16T10:00', claims: [claim?.id] };
    const { body } = await app.api
      .post(`/admin/events/${claim?.event_id}/copy`)
      .set(app.admin)
      .send(copy)
      .expect(200);
    const { body: copied } = await app.api
      .get(`/events/${body.data.event.id}/claims`)
      .set(app.admin)
      .expect(200);
    return [copied.data[0].id];
  },
  access_key: async (app) => [(await aKey(app)).id],
  verified_code: async (app) => [
    (
      await app.api
        .post('/admin/verify-character')
        .set(app.admin)
        .send({ character_name: 'Sir Aldo' })
    ).body.data.id,
  ],
  destination: async (app) => [(await aDestination(app)).id],
  standing_claim: async (app) => {
    const { character_name } = await aKey(app);
    const made: RecordId[] = [];
    await change(app, async ({ tx, changes }) => {
      const row = await tx
        .insertInto('standing_claims')
        .values({
          respawn_id: 1,
          character_name,
          character_key: character_name.toLowerCase(),
          member_type: 'member',
          weekdays: '24',
          hour_start: 10,
          hour_end: 14,
          from_date: TODAY,
          until_date: null,
          next_date: TODAY,
          created_at: NOW,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      for (const record of await standingRecordsOf(tx, [row]))
        changes.put({ kind: 'standing_claim', record });
      made.push(row.id);
    });
    return made;
  },
  activity: async (app) => {
    await aMemberType(app);
    return [
      (await app.api.get('/admin/activity-log?limit=1').set(app.admin).expect(200)).body.data
        .logs[0].id,
    ];
  },
};

type Seen = { readonly [K in Kind]?: ReadonlyMap<RecordId, RecordByKind[K]> };
const byIds = <K extends Kind>(
  kind: K,
  records: readonly RecordByKind[K][],
): Map<RecordId, RecordByKind[K]> =>
  new Map(records.map((record) => [recordId(kind, record), record]));
/** What there is of each kind; a kind without a record is left out. */
const seenIn = (lists: Snapshot): Seen =>
  Object.fromEntries(
    ALL_KINDS.map((kind) => [kind, byIds(kind, lists[kind] ?? [])] as const).filter(
      ([, all]) => all.size > 0,
    ),
  );

/** The same board by each way there is to it. */
async function everyWay(
  app: TestApp,
  room: Room,
  headers: Record<string, string>,
  held: Watching,
): Promise<Record<string, Seen>> {
  const { auth } = held;
  await held.watcher.reached(app.ctx.bus.clock());
  const fresh = new Watcher(app.url, auth);
  await fresh.connect();
  const { body } = await app.api.get('/snapshot').set(headers).expect(200);
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('location', { hostname: 'claimboard.test' });
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(`${app.url}${path}`, init));
  setCredentials({ access_key: auth.access_key ?? null, admin_token: auth.admin_token ?? null });
  clearBoard();
  try {
    await readBoard(null, room, () => false);
  } finally {
    vi.unstubAllGlobals();
  }
  const listsOf = ({ byKind }: Pick<ReturnType<typeof useBoard.getState>, 'byKind'>): Snapshot =>
    Object.fromEntries(ALL_KINDS.map((kind) => [kind, [...byKind[kind].values()]]));
  const read = await app.ctx.readModel.readFresh(room);
  return {
    'as it is read now': seenIn(read.records),
    'by changes': seenIn(listsOf(held.watcher.board)),
    'by a snapshot over the live connection': seenIn(listsOf(fresh.board)),
    'by a snapshot over REST': seenIn(body.data.snapshot),
    'by the calls of the fallback': seenIn(listsOf(useBoard.getState())),
  };
}

const byRole = async (app: TestApp, role: AdminRole): Promise<HandshakeAuth> => ({
  admin_token: (await anAdmin(app, role)).token,
});
/** Who watches beside the first owner, and in which room. */
const CALLERS = {
  owners: { room: 'admins', signIn: (app: TestApp) => byRole(app, 'owner') },
  moderators: { room: 'viewers', signIn: (app: TestApp) => byRole(app, 'moderator') },
  viewers: { room: 'viewers', signIn: (app: TestApp) => byRole(app, 'viewer') },
  members: {
    room: 'members',
    signIn: async (app: TestApp): Promise<HandshakeAuth> => ({
      access_key: (await aKey(app)).key_value,
    }),
  },
} as const;

describe.each(databases)('each kind of record on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  // What a role may see is decided after the records are read: on PostgreSQL the first owner and a member are enough.
  const watching = usualDatabases.includes(dialect)
    ? (['owners', 'moderators', 'viewers', 'members'] as const)
    : (['members'] as const);

  it.each(ALL_KINDS)(
    '%s: authorized roles get it on every way to the board, others on none',
    async (kind) => {
      const watchers = await Promise.all(
        watching.map(async (who) => ({
          who,
          held: await watch(app, await CALLERS[who].signIn(app)),
        })),
      );
      const owner = await watch(app, {
        admin_token: app.admin.Authorization.replace('Bearer ', ''),
      });
      const made = await MAKE[kind](app);
      expect(made.length).toBeGreaterThan(0);
      const seenBy = async (room: Room, held: Watching): Promise<Record<string, Seen>> => {
        const { access_key, admin_token } = held.auth;
        return everyWay(
          app,
          room,
          access_key ? { 'X-Access-Key': access_key } : { Authorization: `Bearer ${admin_token}` },
          held,
        );
      };
      const ofAdmin = await seenBy('admins', owner);
      const all = new Map<RecordId, RecordByKind[Kind]>(ofAdmin['by a snapshot over REST']?.[kind]);
      expect(made.filter((id) => !all.has(id))).toEqual([]);
      const forMembers = new Map([...all].filter(([, record]) => isForMembers(kind, record)));
      expect(forMembers.size > 0, 'some for members').toBe(KINDS_SEEN.members.includes(kind));
      const expected = {
        admins: all,
        viewers: KINDS_SEEN.viewers.includes(kind) ? all : undefined,
        members: forMembers.size > 0 ? forMembers : undefined,
      };
      for (const [way, seen] of Object.entries(ofAdmin))
        expect(seen[kind], `an admin, ${way}`).toEqual(all);
      for (const { who, held } of watchers) {
        const { room } = CALLERS[who];
        for (const [way, seen] of Object.entries(await seenBy(room, held)))
          expect(seen[kind], `${who}, ${way}`).toEqual(expected[room]);
      }
    },
  );
});

interface Watching {
  auth: HandshakeAuth;
  watcher: Watcher;
}

async function watch(app: TestApp, auth: HandshakeAuth): Promise<Watching> {
  const watcher = new Watcher(app.url, auth);
  await watcher.connect();
  return { auth, watcher };
}
