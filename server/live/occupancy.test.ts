import { describe, expect, it } from 'vitest';
import type { ClaimRow } from '../../shared/schemas/claim.ts';
import type { Event, EventInput } from '../../shared/schemas/event.ts';
import { respawnWithClaims } from '../../shared/schemas/respawn.ts';
import { undoLatest } from '../activity/test/undo.ts';
import { archiveOld } from '../board/archive/move.ts';
import {
  aClaim,
  aKey,
  anEvent,
  aWait,
  submit,
  submitAsAdmin,
  submitted,
} from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { runNow } from '../dev/test/jobs.ts';
import { createTestApp, type TestApp, TODAY } from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';

const activate = (app: TestApp, id: number) =>
  app.api.post(`/events/${id}/activate`).set(app.admin).expect(200);
const PERIOD = { start_time: '2026-11-20T10:00', end_time: '2026-11-28T10:00' };

/** A watcher, and its board, which equals a fresh read and the list of respawns. */
async function aBoard(app: TestApp) {
  const { key_value } = await aKey(app);
  const watcher = new Watcher(app.url, { access_key: key_value });
  await watcher.connect();
  return async () => {
    await watcher.reached(app.ctx.bus.clock());
    const { records: snapshot } = await app.ctx.readModel.readFresh('members');
    const seen = [...watcher.records('occupancy').values()];
    expect(seen).toEqual(snapshot.occupancy);
    const { body } = await app.api.get('/respawns').set('X-Access-Key', key_value).expect(200);
    const listed = respawnWithClaims
      .array()
      .parse(body)
      .flatMap(({ id, occupied = [] }) =>
        occupied.map((hours) => [hours.id, id, hours.hour_start, hours.hour_end]),
      );
    const parts = seen.flatMap(({ id, parts }) =>
      parts.map(({ respawn_id, hour_start, hour_end }) => [id, respawn_id, hour_start, hour_end]),
    );
    expect(listed.sort()).toEqual(parts.sort());
    return seen;
  };
}

describe.each(databases)('R2.6: hours that claims of other events occupy, on %s', (dialect) => {
  const event = (app: TestApp, name: string, fields: Partial<EventInput> = {}): Promise<Event> =>
    anEvent(app, { name, ...PERIOD, ...fields });

  it('are on the board with their holders, live, after every change to them', async () => {
    const app = await createTestApp(dialect, { serve: {} });
    const a = await event(app, 'A');
    const b = await event(app, 'B', {
      type: 'single_claim',
      start_time: '2026-11-25T10:00',
      end_time: '2026-12-10T10:00',
    });
    const seen = await aBoard(app);
    const bram = await aKey(app, 'Bram');
    const key = await aKey(app);
    await activate(app, b.id);
    const [claim]: ClaimRow[] = (
      await submitAsAdmin(app, 'member', {
        respawn_id: 1,
        character_name: 'Bram',
        hour_start: 12,
        hour_end: 16,
      })
    ).body.data;
    expect(await seen()).toEqual([]);
    await activate(app, a.id);
    const id = claim?.id ?? 0;
    const record = {
      id,
      character_name: 'Bram',
      event_name: 'B',
      first_date: '2026-11-25',
      last_date: '2026-12-10',
    };
    expect(await seen()).toEqual([
      { ...record, parts: [{ respawn_id: 1, hour_start: 12, hour_end: 16 }] },
    ]);
    // The server accepts exactly the hours that the board shows as free.
    expect(
      (await submit(app, key, aClaim(key, { date: '2026-11-26', hour_start: 14, hour_end: 18 })))
        .status,
    ).toBe(409);
    await aWait(app, key, { date: '2026-11-26', hour_start: 14, hour_end: 18 });
    const edit = (path: string, body: object) =>
      app.api.put(path).set(app.admin).send(body).expect(200);
    await edit(`/claims/admin/${id}`, { hour_start: 13, hour_end: 15 });
    expect((await seen())[0]?.parts).toEqual([{ respawn_id: 1, hour_start: 13, hour_end: 15 }]);
    await edit(`/claims/admin/${id}/respawn`, { respawn_id: 2 });
    expect((await seen())[0]?.parts).toEqual([{ respawn_id: 2, hour_start: 13, hour_end: 15 }]);
    await edit(`/events/${b.id}`, { name: 'Winter', start_time: '2026-11-27T10:00' });
    expect(await seen()).toMatchObject([{ event_name: 'Winter', first_date: '2026-11-27' }]);
    await app.api.delete(`/admin/claims/${id}`).set(app.admin).expect(200);
    expect(await seen()).toEqual([]);
    await undoLatest(app, 'claim_deleted');
    expect(await seen()).toMatchObject([{ id }]);
    await edit(`/events/${a.id}`, { end_time: '2026-11-26T10:00' });
    expect(await seen()).toEqual([]);
    await edit(`/events/${a.id}`, { end_time: '2026-11-30T10:00' });
    expect(await seen()).toMatchObject([{ id }]);
    await app.api.post(`/events/${a.id}/deactivate`).set(app.admin).expect(200);
    expect(await seen()).toEqual([]);
    expect(bram.character_name).toBe('Bram');
  });

  it('include those of no event, and of a copy; not those on other dates, nor secondary ones', async () => {
    const app = await createTestApp(dialect, { serve: {} });
    const key = await aKey(app, 'Ann', 'elite');
    const other = await aKey(app);
    const secondary = aClaim(key, { is_secondary_claim: 1, respawn_id: 3 });
    const [claim] = await submitted(
      app,
      key,
      aClaim(key),
      secondary,
      aClaim(key, { date: '2026-12-20' }),
    );
    const a = await event(app, 'A');
    const seen = await aBoard(app);
    await activate(app, a.id);
    expect(await seen()).toEqual([
      {
        id: claim?.id,
        character_name: 'Ann',
        event_name: null,
        first_date: TODAY,
        last_date: TODAY,
        parts: [{ respawn_id: 1, hour_start: 10, hour_end: 14 }],
      },
    ]);
    await submitted(app, other, aClaim(other, { respawn_id: 5 }));
    const copy = { name: 'Copy', start_time: '2026-11-22T10:00', claims: 'all' };
    await app.api.post(`/admin/events/${a.id}/copy`).set(app.admin).send(copy).expect(200);
    expect(await seen()).toMatchObject([
      { event_name: null },
      { event_name: 'Copy', first_date: '2026-11-23' },
    ]);
  });

  it('do not grow with history, and go when their claims are archived', async () => {
    const app = await createTestApp(dialect, { serve: {}, env: { ARCHIVE_AFTER_DAYS: '10' } });
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    const year = await event(app, 'Year', { end_time: '2027-06-30T10:00' });
    const seen = await aBoard(app);
    await activate(app, year.id);
    expect(await seen()).toHaveLength(1);
    app.setNow('2026-12-20T18:00:00.000Z');
    await runNow(app, archiveOld);
    expect(await seen()).toEqual([]);
  });
});
