import { expect } from 'vitest';
import { ALL_KINDS, KINDS_SEEN, type Room, recordId } from '../../../shared/kinds.ts';
import type { ActivityEntry } from '../../../shared/schemas/activity.ts';
import { ACTIVITY_IN_SNAPSHOT } from '../../activity/log.ts';
import { aKey } from './builders.ts';
import { expectSame } from './expect-same.ts';
import type { TestApp } from './test-app.ts';
import { Watcher } from './watcher.ts';

export interface Watching {
  member: Watcher;
  admin: Watcher;
  /**
   * Resolves when both have received all writes; their boards must then equal the stored one.
   * @param resets how often they had to reload
   * @param ofMember the member alone, if that is another number
   */
  expectSynced: (resets?: number, ofMember?: number) => Promise<void>;
}

/** A member and an admin who watch the board. */
export async function watching(app: TestApp): Promise<Watching> {
  const auths = [
    { access_key: (await aKey(app)).key_value },
    { admin_token: app.admin.Authorization.replace('Bearer ', '') },
  ] as const;
  const member = new Watcher(app.url, auths[0]);
  const admin = new Watcher(app.url, auths[1]);
  await Promise.all([member.connect(), admin.connect()]);
  const expectSynced = async (resets = 0, ofMember = resets): Promise<void> => {
    const clock = app.ctx.bus.clock();
    for (const [watcher, room, often] of [
      [member, 'members', ofMember] as const,
      [admin, 'admins', resets] as const,
    ]) {
      await watcher.reached(clock);
      await expectAsStored(app, watcher, room);
      expect(watcher.snapshots, 'told by changes, or by a reset to load anew').toBe(1 + often);
    }
  };
  return { member, admin, expectSynced };
}

/** Compares with the database, not with the server's board in memory, which gets the same change sets. */
async function expectAsStored(app: TestApp, watcher: Watcher, room: Room): Promise<void> {
  const { records: wantedRecords } = await app.ctx.readModel.readFresh(room);
  for (const kind of room === 'admins' ? ALL_KINDS : KINDS_SEEN.members) {
    const wanted = new Map(
      (wantedRecords[kind] ?? []).map((record) => [String(recordId(kind, record)), record]),
    );
    const held = watcher.records(kind);
    // The log keeps growing on a screen, but only upwards; a snapshot has its latest.
    const oldest =
      kind === 'activity' && wanted.size >= ACTIVITY_IN_SNAPSHOT
        ? Math.min(...[...wanted.keys()].map(Number))
        : 0;
    if (oldest > 0) for (const id of held.keys()) if (Number(id) < oldest) held.delete(id);
    expectSame(held, wanted, `${kind} of ${room}`);
  }
}

/** The activity entries that some work leaves, the oldest first. */
export async function owedBy(
  app: TestApp,
  work: () => PromiseLike<unknown>,
): Promise<ActivityEntry[]> {
  const log = async () =>
    (await app.api.get('/admin/activity-log').set(app.admin).query({ limit: 500 }).expect(200)).body
      .data;
  const { total } = await log();
  await work();
  const after = await log();
  return after.logs.slice(0, after.total - total).reverse();
}
