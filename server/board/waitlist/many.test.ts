import { describe, expect, it } from 'vitest';
import { nameKey } from '../../../shared/rules/names.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import { WAITS_A_DAY } from '../../../shared/rules/waits.ts';
import { MANY_CHANGES } from '../../db/unit-of-work.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  aName,
  aWait,
  changeUnheard,
  submitted,
  waitFor,
} from '../../dev/test/builders.ts';
import { countingStatements } from '../../dev/test/counting-statements.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, NOW, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { changeSetsSince } from '../../live/bus.ts';
import { wrongCounts } from '../claims/consistency.ts';
import { updateConfig } from '../config/config.ts';
import { openEntries } from './waitlist-store.ts';

const ADMIN = {
  role: 'admin',
  admin_id: 1,
  username: 'admin',
  admin_role: 'owner',
  token_hash: '',
} as const;

/** Entries that get offers at once when waitlists are switched on again: so many dates, so many members each. */
async function waitlists(app: TestApp, dates: number, members: number): Promise<void> {
  await updateConfig(app.ctx, ADMIN, { waits_enabled: 0 });
  const stretch = {
    hour_start: 10,
    hour_end: 14,
    min_hours: 1,
    member_type: 'member',
    status: 'waiting',
    position: 0,
  } as const;
  const rows = Array.from({ length: dates * members }, (_, n) => {
    const character_name = aName();
    const date = addDays(TODAY, 1 + (n % dates));
    return {
      ...stretch,
      respawn_id: 1,
      event_id: null,
      date,
      character_name,
      character_key: nameKey(character_name),
      created_at: NOW,
    };
  });
  await changeUnheard(app, async (tx) => {
    for (let at = 0; at < rows.length; at += 500)
      await tx
        .insertInto('waits')
        .values(rows.slice(at, at + 500))
        .execute();
    await tx.updateTable('clock').set({ open_waits: rows.length }).execute();
  });
}

async function statementsOfSwitchingOn(app: TestApp): Promise<number> {
  const { ctx, count } = countingStatements(app.ctx);
  await updateConfig(ctx, ADMIN, { waits_enabled: 1 });
  return count();
}

describe.each(databases)('many waitlists on %s', (dialect) => {
  it('are served by as many statements as few', async () => {
    const few = await createTestApp(dialect);
    const many = await createTestApp(dialect);
    await waitlists(few, 2, 2);
    await waitlists(many, 60, 12);
    const statements = await statementsOfSwitchingOn(few);
    expect(await statementsOfSwitchingOn(many)).toBeLessThanOrEqual(statements + 2);
    const waits = await openEntries(many.ctx.db);
    expect(waits.filter(({ status }) => status === 'offered')).toHaveLength(60);
    expect(
      waits.filter(
        ({ status, position, held_claim_id }) =>
          (status === 'offered') !== (position === 1 && held_claim_id !== null),
      ),
    ).toEqual([]);
    expect(new Set(waits.map(({ position }) => position))).toEqual(
      new Set(Array.from({ length: 12 }, (_, n) => n + 1)),
    );
    expect(await wrongCounts(many.ctx.db)).toEqual([]);
  });

  it('reload the watchers if many entries end at once, and log each of them', async () => {
    const app = await createTestApp(dialect);
    await waitlists(app, 40, 4);
    await updateConfig(app.ctx, ADMIN, { waits_enabled: 1 });
    await app.api.put('/admin/respawns/1').set(app.admin).send({ is_enabled: 0 }).expect(200);
    const sets = await changeSetsSince(app.ctx.db, app.ctx.bus.clock() - 1);
    const kinds = sets.flatMap(({ changes }) =>
      changes.map(({ change }) => ('kind' in change ? change.kind : change.op)),
    );
    expect(kinds).toContain('reset');
    expect(kinds.length).toBeLessThan(MANY_CHANGES);
    expect(await openEntries(app.ctx.db)).toEqual([]);
    const voided = await app.ctx.db
      .selectFrom('activity')
      .select('id')
      .where('action', '=', 'wait_voided')
      .execute();
    expect(voided).toHaveLength(160);
  });

  it('of one character end at most so often within a day', async () => {
    const app = await createTestApp(dialect);
    const holder = await aKey(app);
    const next = await aKey(app);
    await submitted(app, holder, aClaim(holder));
    const wait = {
      respawn_id: 1,
      event_id: null,
      date: TODAY,
      hour_start: 10,
      hour_end: 14,
      min_hours: 1,
      member_type: 'member',
    };
    const { character_name } = next;
    const withdrawn = {
      status: 'withdrawn',
      position: 0,
      character_name,
      character_key: nameKey(character_name),
    } as const;
    const rows = Array.from({ length: WAITS_A_DAY }, () => ({
      ...wait,
      ...withdrawn,
      created_at: NOW,
      ended_at: NOW,
    }));
    await changeUnheard(app, (tx) => tx.insertInto('waits').values(rows).execute());
    const refused = await waitFor(app, next);
    const sentence = `${character_name} left 100 waitlists within a day. Try again later.`;
    expectRefusal(refused, 409, 'wait.tooOften', sentence, { max: WAITS_A_DAY });
    app.setNow(new Date(Date.parse(NOW) + 86_400_001).toISOString());
    const other = await aKey(app);
    await submitted(
      app,
      other,
      aClaim(other, { date: '2026-11-22', hour_start: 20, hour_end: 24 }),
    );
    await aWait(app, next, { date: '2026-11-22', hour_start: 20, hour_end: 24 });
  });

  it('are looked at when a member type may claim for longer again', async () => {
    const app = await createTestApp(dialect);
    const type = await aMemberType(app, { voucher_duration_hours: 4 });
    const holder = await aKey(app);
    const next = await aKey(app, undefined, type);
    const [claim] = await submitted(app, holder, aClaim(holder));
    const { id } = await aWait(app, next, { min_hours: 3 });
    const voucher = (hours: number) =>
      app.api
        .put(`/admin/member-types/${type}`)
        .set(app.admin)
        .send({ voucher_duration_hours: hours })
        .expect(200);
    await voucher(2);
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    expect(await openEntries(app.ctx.db)).toMatchObject([{ id, status: 'waiting' }]);
    await voucher(4);
    expect(await openEntries(app.ctx.db)).toMatchObject([{ id, status: 'offered' }]);
  });
});
