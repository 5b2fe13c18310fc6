import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { ActivityEntry } from '../../../shared/schemas/activity.ts';
import { stored, undo } from '../../activity/test/undo.ts';
import { CLAIMS_A_PIECE } from '../../activity/undo-store.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp } from '../../dev/test/test-app.ts';
import { openDatabase } from '../open-database.ts';
import { AT, migrated, type Old, ofVersion2 } from './test/version-2.ts';

interface OldEntry {
  action: string;
  details: object;
  admin?: string;
  undo?: string;
}

const entry = ({ db }: Old, { action, details, admin, undo }: OldEntry) =>
  sql`insert into activity (timestamp, action, admin_id, admin_username, admin_key, details, undo)
    values (${AT}, ${action}, ${admin ? 1 : null}, ${admin ?? null}, ${admin?.toLowerCase() ?? null}, ${JSON.stringify(details)}, ${undo ?? null})`.execute(
    db,
  );

/** A claim as an undo kept it. */
const claim = (id: number) => ({
  id,
  event_id: null,
  event_name: null,
  character_name: `Camper ${id}`,
  character_key: `camper ${id}`,
  member_type: 'member',
  date: '2026-12-01',
  custom_duration: null,
  voucher_duration: 4,
  is_secondary_claim: 1,
  secondary_priority: 5,
  primary_claim_id: null,
  is_split_claim: 0,
  created_at: AT,
  parts: [{ part_number: 1, respawn_id: 1, respawn_name: 'Busy', hour_start: 10, hour_end: 14 }],
  secondary_ids: [],
});
const COUNT = 2 * CLAIMS_A_PIECE + 1;
const event = {
  id: 5,
  name: 'Rush',
  name_key: 'rush',
  type: 'multiple_claims',
  start_time: '2026-12-01T10:00',
  end_time: '2026-12-02T10:00',
  single_claim_template: null,
  created_at: AT,
};

describe.each(databases)('a log from before it was typed, on %s', (dialect) => {
  it('says who did what in columns, and no longer among the details', async () => {
    const { app } = await migrated(dialect, async (old) => {
      await entry(old, { action: 'user_banned', details: { character_name: 'Odo', mood: 'bad' }, admin: 'Thora' });
      await entry(old, { action: 'claim_created', details: { by: 'Zoë "the" Fox', claim_id: 7, character_name: 'Zoë "the" Fox' } });
      await entry(old, { action: 'admin_added', details: { username: 'Kael', by: 'command line' } });
      await entry(old, { action: 'claim_deleted', details: { by: 'command line', claim_id: 8 } });
      await entry(old, { action: 'verification_started', details: { character_name: 'Odo' } });
      await entry(old, { action: 'event_archived', details: { event_id: 4, name: 'a "by":"c' } });
      await entry(old, { action: 'claim_created', details: { claim_id: 9, character_name: 'x\u0000y', by: 'No\u0000body' } });
      await entry(old, { action: 'claim_created', details: { claim_id: 10, character_name: 'x\ud83d', by: 'Odo' } });
      await entry(old, { action: 'claim_created', details: { claim_id: 11, character_name: '\u{1f980}', by: '\u{1f980}' } });
    });
    const columns = ['action', 'actor_kind', 'actor_name', 'admin_id', 'admin_key', 'details'] as const;
    const rows = await app.ctx.db.selectFrom('activity').select(columns).where('timestamp', '=', AT).orderBy('id').execute();
    const isReadable = dialect === 'sqlite';
    expect(rows.map(({ details, ...row }) => ({ ...Object.values(row), details: JSON.parse(details) })).slice(0, 6)).toEqual([
      { ...['user_banned', 'admin', 'Thora', 1, 'thora'], details: { character_name: 'Odo', mood: 'bad' } },
      { ...['claim_created', 'member', 'Zoë "the" Fox', null, null], details: { claim_id: 7, character_name: 'Zoë "the" Fox' } },
      { ...['admin_added', 'command_line', null, null, null], details: { username: 'Kael' } },
      { ...['claim_deleted', 'member', 'command line', null, null], details: { claim_id: 8 } },
      { ...['verification_started', 'visitor', null, null, null], details: { character_name: 'Odo' } },
      { ...['event_archived', 'server', null, null, null], details: { event_id: 4, name: 'a "by":"c' } },
    ]);
    for (const nth of [6, 7]) expect(rows[nth]?.actor_kind).toBe(isReadable ? 'member' : 'server');
    expect(rows[8]).toMatchObject({ actor_kind: 'member', actor_name: '\u{1f980}' });

    const { body } = await app.api.get('/admin/activity-log').set(app.admin).query({ to: '2026-11-20' }).expect(200);
    const told = body.data.logs.reverse().slice(0, 3);
    expect(told.map(({ admin_username, details }: ActivityEntry) => [admin_username, details])).toEqual([
      ['Thora', { character_name: 'Odo' }],
      [null, { by: 'Zoë "the" Fox', claim_id: 7, character_name: 'Zoë "the" Fox' }],
      [null, { by: 'command line', username: 'Kael' }],
    ]);
  });

  it('puts back what was deleted before, which lies in pieces now; what could not be read is said to be gone', async () => {
    const claims = Array.from({ length: COUNT }, (_, nth) => claim(100 + nth));
    const { app } = await migrated(dialect, async (old) => {
      await old.respawn('Busy');
      const cleared = { respawn_id: 1, respawn_name: 'Busy', event_id: null, deleted_count: COUNT };
      await entry(old, { action: 'claims_cleared', details: cleared, admin: 'Thora', undo: JSON.stringify({ event: null, claims }) });
      await entry(old, { action: 'event_deleted', details: { event_id: 5 }, undo: JSON.stringify({ event, claims: [] }) });
      await entry(old, { action: 'claim_deleted', details: {}, undo: '{"packed":"x"}' });
      await entry(old, { action: 'claim_deleted', details: {}, undo: 'none' });
      await entry(old, { action: 'claim_deleted', details: {} });
    });
    const undos = app.ctx.db.selectFrom('undos').select(['entry_id', 'version', 'made_at', 'claims', 'pieces']).orderBy('entry_id');
    expect(await undos.execute()).toEqual([
      { entry_id: 1, version: 1, made_at: AT, claims: COUNT, pieces: 3 },
      { entry_id: 2, version: 1, made_at: AT, claims: 0, pieces: 0 },
    ]);
    const { body } = await app.api.get('/admin/activity-log').set(app.admin).query({ to: '2026-11-20' }).expect(200);
    expect(body.data.logs.map((each: ActivityEntry) => each.undo)).toEqual([null, 'expired', 'expired', 'possible', 'possible']);

    for (const id of [2, 1]) await undo(app, id).expect(200);
    const after = await stored(app);
    expect(after).toMatchObject({ events: [{ ...event, is_active: 0 }], hours: [], days: [] });
    const rows = claims.map(({ parts: _, secondary_ids: __, event_name: ___, ...row }) => row);
    expect(after).toMatchObject({ claims: rows });
    expect(await undos.execute()).toEqual([]);
  });

  it('gives up none of its undos where they are more, and longer, than it reads at once', async () => {
    const claims = Array.from({ length: 6_000 }, (_, nth) => claim(100 + nth));
    const long = JSON.stringify({ event: null, claims });
    // Two are more than four million bytes together, which one is not.
    expect([long.length < 4_000_000, 2 * long.length > 4_000_000]).toEqual([true, true]);
    const { app } = await migrated(dialect, async (old) => {
      const short = JSON.stringify({ event: null, claims: [claim(1)] });
      for (const undo of [long, long, ...Array.from({ length: 501 }, () => short), long])
        await entry(old, { action: 'claims_cleared', details: {}, undo });
    });
    const kept = await app.ctx.db.selectFrom('undos').select(['claims', 'pieces']).orderBy('entry_id').execute();
    const [most, one] = [
      { claims: 6_000, pieces: 12 },
      { claims: 1, pieces: 1 },
    ];
    expect(kept).toEqual([most, most, ...Array.from({ length: 501 }, () => one), most]);
    const { n } = await app.ctx.db
      .selectFrom('undo_pieces')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(3 * 12 + 501);
  });

  it('is left as it was where something of it cannot be moved, and is moved whole once that can be', async () => {
    const on = await ofVersion2(dialect, async (old) => {
      await entry(old, { action: 'claim_created', details: { by: 'Odo', claim_id: 7 }, undo: JSON.stringify({ event: null, claims: [] }) });
      await sql`insert into activity (timestamp, action, details) values (${AT}, 'claim_created', '{"by":"cut of')`.execute(old.db);
    });
    await expect(createTestApp(dialect, { on })).rejects.toThrow(/JSON|json/);
    const { writer, close } = await openDatabase(on.settings, pino({ level: 'silent' }));
    const kept = await sql<object>`select admin_username, details, undo from activity order by id limit 1`.execute(writer);
    expect(kept.rows).toEqual([{ admin_username: null, details: '{"by":"Odo","claim_id":7}', undo: '{"event":null,"claims":[]}' }]);
    await sql`delete from activity where details = '{"by":"cut of'`.execute(writer);
    await close();
    const { ctx } = await createTestApp(dialect, { on });
    const [moved] = await ctx.db.selectFrom('activity').select(['actor_kind', 'actor_name']).orderBy('id').limit(1).execute();
    expect(moved).toEqual({ actor_kind: 'member', actor_name: 'Odo' });
    expect(await ctx.db.selectFrom('undos').select('pieces').execute()).toEqual([{ pieces: 0 }]);
  });
});
