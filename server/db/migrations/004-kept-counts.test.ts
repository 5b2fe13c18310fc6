import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { wrongCounts } from '../../board/claims/consistency.ts';
import { allEvents } from '../../board/records/events.ts';
import { findRespawns } from '../../board/records/respawns.ts';
import { databases } from '../../dev/test/databases.ts';
import { AT, migrated } from './test/version-2.ts';

describe.each(databases)('claims from before their counts were kept, on %s', (dialect) => {
  it('are counted, those of a whole event until its end, and those of a split claim once a spot', async () => {
    const { app } = await migrated(dialect, async (old) => {
      for (const name of ['Busy', 'Split', 'Free']) await old.respawn(name);
      await old.event('Dated');
      await sql`insert into events (name, name_key, type, start_time, end_time, created_at)
        values ('Whole', 'whole', 'single_claim', '2026-12-01T10:00', '2026-12-24T10:00', ${AT})`.execute(old.db);
      await old.claim(1, 'ann', '2026-11-30', 0);
      await old.claim(2, 'ben', '2026-11-20', 2);
      await old.claim(3, 'cid', '2026-11-22', 4);
      await sql`update claims set event_id = 1 where id = 3`.execute(old.db);
      await old.claim(4, 'dan', '2026-11-23', 6);
      await sql`update claims set event_id = 2, date = null where id = 4`.execute(old.db);
      await old.claim(5, 'eve', '2026-11-24', 8);
      await sql`update claims set is_split_claim = 1 where id = 5`.execute(old.db);
      await sql`update claim_parts set respawn_id = 2 where claim_id = 5`.execute(old.db);
      await sql`insert into claim_parts values (5, 2, 2, 10, 11)`.execute(old.db);
    });
    const { db } = app.ctx;
    const counts = (await findRespawns(db)).map(({ name, total_claims, last_claim_date }) => [name, total_claims, last_claim_date]);
    expect(counts).toEqual([
      ['Busy', 4, '2026-12-24'],
      ['Free', 0, null],
      ['Split', 1, '2026-11-24'],
    ]);
    expect((await allEvents(db)).map(({ name, claim_count }) => [name, claim_count])).toEqual([
      ['Whole', 1],
      ['Dated', 1],
    ]);
    const lastDates = db.selectFrom('claim_parts').select('last_date').orderBy('claim_id').orderBy('part_number');
    const dates = (await lastDates.execute()).map(({ last_date }) => last_date);
    expect(dates).toEqual(['2026-11-30', '2026-11-20', '2026-11-22', '2026-12-24', '2026-11-24', '2026-11-24']);
    expect(await wrongCounts(db)).toEqual([]);
  });
});
