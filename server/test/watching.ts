import { expect } from 'vitest';
import { ADMIN_KINDS, MEMBER_KINDS } from '../../shared/kinds.ts';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';
import { ACTIVITY_KEPT } from '../live/listing.ts';
import { readSnapshot } from '../live/snapshot.ts';
import { aKey } from './builders.ts';
import type { TestApp } from './test-app.ts';
import { Watcher } from './watcher.ts';

export interface Watching {
  member: Watcher;
  admin: Watcher;
  /**
   * Resolves when both have heard all that was written; their boards must then equal a fresh snapshot's.
   * @param resets how often they were told to load anew
   */
  settled: (resets?: number) => Promise<void>;
}

/** A member and an admin who watch the board. */
export async function watching(app: TestApp): Promise<Watching> {
  const auths = [{ access_key: (await aKey(app)).key_value }, { admin_token: app.admin.Authorization.replace('Bearer ', '') }] as const;
  const [member, admin] = [new Watcher(app.url, auths[0]), new Watcher(app.url, auths[1])];
  await Promise.all([member.connect(), admin.connect()]);
  const settled = async (resets = 0): Promise<void> => {
    const clock = app.ctx.bus.clock();
    for (const [at, watcher] of [member, admin].entries()) {
      await watcher.reached(clock);
      const fresh = new Watcher(app.url, auths[at] ?? {});
      await fresh.connect();
      for (const kind of watcher === admin ? ADMIN_KINDS : MEMBER_KINDS) {
        // The log keeps growing on a screen; a snapshot starts with the latest hundred.
        const [held, wanted] = [watcher.records(kind), fresh.records(kind)];
        if (kind === 'activity') for (const id of held.keys()) if (!wanted.has(id)) held.delete(id);
        expect(held, `${kind} of ${watcher === admin ? 'the admin' : 'the member'}`).toEqual(wanted);
      }
      fresh.disconnect();
      expect(watcher.snapshots, 'told by changes, or by a reset to load anew').toBe(1 + resets);
    }
  };
  return { member, admin, settled };
}

/** What the admin holds of events and the log is what the database has, not only what the board in the server's memory has. */
export async function expectAsStored(app: TestApp, { admin }: Pick<Watching, 'admin'>): Promise<void> {
  await admin.reached(app.ctx.bus.clock());
  const { snapshot } = await readSnapshot(app.ctx, 'admins');
  for (const kind of ['event', 'activity'] as const) {
    const wanted = (snapshot[kind] ?? []).map(({ id }) => id);
    const held = [...admin.records(kind).values()].map(({ id }) => id);
    // The log keeps growing on a screen, but only upwards.
    const oldest = kind === 'activity' && wanted.length >= ACTIVITY_KEPT ? Math.min(...wanted) : 0;
    expect(new Set(held.filter((id) => id >= oldest)), kind).toEqual(new Set(wanted));
  }
}

/** The activity entries that some work leaves, the oldest first. */
export async function owedBy(app: TestApp, work: () => PromiseLike<unknown>): Promise<ActivityEntry[]> {
  const log = async () => (await app.api.get('/admin/activity-log').set(app.admin).query({ limit: 500 }).expect(200)).body.data;
  const { total } = await log();
  await work();
  const after = await log();
  return after.logs.slice(0, after.total - total).reverse();
}
