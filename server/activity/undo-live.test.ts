import { describe, expect, it } from 'vitest';
import { ALL_KINDS, KINDS_SEEN } from '../../shared/kinds.ts';
import { aClaim, aKey, anActiveEvent, submit, submitted } from '../dev/test/builders.ts';
import { databases, freshDatabase } from '../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';
import { deleteClaim, deleteEvent, latest, undo, undoLatest } from './test/undo.ts';

const RACES = 12;

async function watching(
  app: TestApp,
  auth: ConstructorParameters<typeof Watcher>[1],
): Promise<Watcher> {
  const watcher = new Watcher(app.url, auth);
  await watcher.connect();
  return watcher;
}
const asAdmin = (app: TestApp) => ({ admin_token: app.admin.Authorization.replace('Bearer ', '') });

describe.each(databases)('everyone who watches an undo on %s', (dialect) => {
  it('shows the restored claims with their counts, and admins the undone entry, as a fresh snapshot does', async () => {
    const app = await createTestApp(dialect);
    const event = await anActiveEvent(app);
    const one = await aKey(app);
    const two = await aKey(app);
    await submitted(app, one, aClaim(one));
    await submitted(app, two, aClaim(two, { hour_start: 20, hour_end: 24 }));
    const member = await watching(app, { access_key: one.key_value });
    const admin = await watching(app, asAdmin(app));
    const both = async (): Promise<void> => {
      await Promise.all([member.reached(app.ctx.bus.clock()), admin.reached(app.ctx.bus.clock())]);
    };

    await app.api.delete('/claims/admin/respawn/1').set(app.admin).expect(200);
    const cleared = await latest(app, 'claims_cleared');
    await both();
    expect(
      [...admin.records('activity').values()].find((entry) => entry.id === cleared.id)?.undo,
    ).toBe('possible');
    expect(member.records('claim').size).toBe(0);
    await undo(app, cleared.id).expect(200);
    await both();
    for (const watcher of [member, admin]) {
      expect(watcher.records('claim').size).toBe(2);
      expect(watcher.records('respawn').get('1')?.total_claims).toBe(2);
      expect(watcher.records('event').get(String(event.id))?.claim_count).toBe(2);
      expect(watcher.snapshots).toBe(1);
    }
    expect(admin.records('activity').get(String(cleared.id))?.undo).toBe('done');
    expect(member.records('activity').size).toBe(0);

    await deleteEvent(app, event.id);
    await undoLatest(app, 'event_deleted');
    await both();
    const freshMember = await watching(app, { access_key: one.key_value });
    const freshAdmin = await watching(app, asAdmin(app));
    for (const kind of KINDS_SEEN.members)
      expect(member.records(kind), kind).toEqual(freshMember.records(kind));
    for (const kind of ALL_KINDS)
      expect(admin.records(kind), kind).toEqual(freshAdmin.records(kind));
  });

  it('sends nothing about a claim that the board does not show', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key));
    await deleteClaim(app, claim);
    await anActiveEvent(app);
    const member = await watching(app, { access_key: key.key_value });
    await undoLatest(app, 'claim_deleted');
    await member.reached(app.ctx.bus.clock());
    expect(member.records('claim').size).toBe(0);
    expect(member.records('respawn').get('1')?.total_claims).toBe(1);
  });
});

describe.each(databases)('undos that race on %s', (dialect) => {
  it('one of two undos of an entry wins', async () => {
    const on = await freshDatabase(dialect);
    const app = await createTestApp(dialect, { on });
    const second = dialect === 'postgres' ? await createTestApp(dialect, { on }) : app;
    for (let race = 0; race < RACES; race++) {
      const key = await aKey(app);
      const [claim] = await submitted(app, key, aClaim(key, { respawn_id: race + 1 }));
      await deleteClaim(app, claim);
      const { id } = await latest(app, 'claim_deleted');
      const answers = await Promise.all([undo(app, id), undo(second, id), undo(app, id)]);
      expect(answers.map((answer) => answer.body.code ?? answer.status).sort()).toEqual([
        200,
        'activity.alreadyUndone',
        'activity.alreadyUndone',
      ]);
    }
  });

  it('R4.7: either the undo or a new claim of the same hour wins', async () => {
    const app = await createTestApp(dialect);
    const won = { undo: 0, claim: 0 };
    for (let race = 0; race < RACES; race++) {
      const key = await aKey(app);
      const rival = await aKey(app);
      const [claim] = await submitted(app, key, aClaim(key, { respawn_id: race + 1 }));
      await deleteClaim(app, claim);
      const { id } = await latest(app, 'claim_deleted');
      const undoing = () => undo(app, id);
      const claiming = () =>
        submit(app, rival, aClaim(rival, { respawn_id: race + 1, hour_start: 13, hour_end: 15 }));
      const [first, then] = race % 2 === 0 ? [undoing, claiming] : [claiming, undoing];
      const answers = await Promise.all([first(), then()]);
      expect(answers.filter((answer) => answer.status < 300)).toHaveLength(1);
      const refused = answers.find((answer) => answer.status === 409);
      expect(['activity.hoursTaken', 'claim.timeConflict']).toContain(refused?.body.code);
      won[refused?.body.code === 'claim.timeConflict' ? 'undo' : 'claim'] += 1;
    }
    const hours = await app.ctx.db.selectFrom('occupied_hours').select('hour').execute();
    expect(hours).toHaveLength(4 * won.undo + 2 * won.claim);
  });
});
