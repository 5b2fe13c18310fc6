import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { ClaimInput } from '../../../shared/schemas/claim.ts';
import { MAX_DESTINATIONS } from '../../../shared/schemas/destination.ts';
import { aDestination, aKey, anActiveEvent, changeUnheard } from '../../dev/test/builders.ts';
import { countingStatements } from '../../dev/test/counting-statements.ts';
import { databases } from '../../dev/test/databases.ts';
import { manyClaims } from '../../dev/test/many-claims.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { submitClaims } from './submit.ts';

/** The clock, the caller, the guild, the member type, existing claims, five tables, channels with a board, the log, its names, the change set. */
const STATEMENTS = 15;

/** How many statements it takes to submit some claims with the key of a member type. */
async function statementsOf(
  app: TestApp,
  type: string,
  fields: readonly Partial<ClaimInput>[],
): Promise<number> {
  const { key_value, character_name } = await aKey(app, undefined, type);
  const whole = {
    character_name,
    date: TODAY,
    hour_start: 20,
    hour_end: 21,
    is_secondary_claim: 0,
    is_split_claim: 0,
  } as const;
  const claims = fields.map((each) => ({ respawn_id: 2, ...whole, ...each }));
  const { ctx, count } = countingStatements(app.ctx);
  const rows = await submitClaims(
    ctx,
    { role: 'member', access_key: key_value },
    { claims, member_type: type },
  );
  expect(rows).toHaveLength(claims.length);
  // PostgreSQL also notifies the other servers.
  return count() - (app.ctx.dialect === 'postgres' ? 1 : 0);
}

describe.each(databases)('the statements of a submission on %s', (dialect) => {
  it('are few, and no more for a spot and an event that had many claims', async () => {
    const app = await createTestApp(dialect);
    expect(await statementsOf(app, 'member', [{ hour_start: 10, hour_end: 11 }])).toBe(STATEMENTS);
    const { id: event_id } = await anActiveEvent(app, {
      start_time: TODAY,
      end_time: '2027-11-01',
    });
    // And its count.
    expect(await statementsOf(app, 'member', [{ hour_start: 12, hour_end: 13 }])).toBe(
      STATEMENTS + 1,
    );
    await manyClaims(app, { count: 3_000, event_id });
    // On another day, no channel's board is looked for.
    expect(await statementsOf(app, 'member', [{ respawn_id: 1, date: '2027-04-01' }])).toBe(
      STATEMENTS,
    );
  });

  it('are six more where one has to be confirmed: the guild’s minutes, and the first deadline of five kinds; none for empty waitlists', async () => {
    const app = await createTestApp(dialect);
    await app.api.put('/admin/config').set(app.admin).send({ confirm_enabled: 1 }).expect(200);
    await statementsOf(app, 'member', [{ hour_start: 10, hour_end: 11 }]);
    expect(await statementsOf(app, 'member', [{ hour_start: 12, hour_end: 13 }])).toBe(
      STATEMENTS + 6,
    );
  });

  it('are three more for a subscribed channel: the subscription, the event, the job; none for other events', async () => {
    const app = await createTestApp(dialect);
    await aDestination(app, { events: ['claim.deleted'] });
    expect(await statementsOf(app, 'member', [{ hour_start: 10, hour_end: 11 }])).toBe(STATEMENTS);
    await aDestination(app, { events: ['claim.created'] });
    expect(await statementsOf(app, 'member', [{ hour_start: 12, hour_end: 13 }])).toBe(
      STATEMENTS + 3,
    );
    await aDestination(app, { events: ['claim.created', 'claim.deleted'] });
    expect(await statementsOf(app, 'member', [{ hour_start: 14, hour_end: 15 }])).toBe(
      STATEMENTS + 3,
    );
  });

  it('are two more for twenty hanging channels: no row of theirs is written, and their retry times stay', async () => {
    const app = await createTestApp(dialect);
    for (let n = 0; n < MAX_DESTINATIONS; n += 1) await aDestination(app);
    expect(await statementsOf(app, 'member', [{ hour_start: 10, hour_end: 11 }])).toBe(
      STATEMENTS + 3,
    );
    // Half of them are being asked now, the others have failed and wait.
    const failed = { due_at: '2026-11-21T19:00:00.000Z', attempts: 3, last_error: 'timeout' };
    const running = { attempts: 1, leased_until: '2026-11-21T18:00:30.000Z' };
    await changeUnheard(app, async (tx) => {
      await tx
        .updateTable('jobs')
        .set(failed)
        .where('kind', '=', 'destination.send')
        .where(sql`id % 2`, '=', 0)
        .execute();
      await tx
        .updateTable('jobs')
        .set(running)
        .where('kind', '=', 'destination.send')
        .where(sql`id % 2`, '=', 1)
        .execute();
    });
    const waiting = () =>
      app.ctx.db
        .selectFrom('jobs')
        .selectAll()
        .where('kind', '=', 'destination.send')
        .orderBy('id')
        .execute();
    const before = await waiting();
    expect(before).toHaveLength(MAX_DESTINATIONS);
    expect(await statementsOf(app, 'member', [{ hour_start: 12, hour_end: 13 }])).toBe(
      STATEMENTS + 2,
    );
    expect(await waiting()).toEqual(before);
  });

  it('are no more for many dates, and one for the secondary ones', async () => {
    const app = await createTestApp(dialect);
    const dates = Array.from({ length: 50 }, (_, day) => addDays(TODAY, day));
    expect(
      await statementsOf(
        app,
        'member',
        dates.map((date) => ({ date })),
      ),
    ).toBe(STATEMENTS);
    const both = dates.flatMap((date) => [
      { date, respawn_id: 3 },
      { date, respawn_id: 4, is_secondary_claim: 1 as const },
    ]);
    expect(await statementsOf(app, 'elite', both)).toBe(STATEMENTS + 1);
  });
});

describe('SQLite', () => {
  it('prepares none of them again', async () => {
    const app = await createTestApp('sqlite');
    await anActiveEvent(app);
    const { key_value, character_name } = await aKey(app, undefined, 'elite');
    // The row values of a statement are built when it is prepared, even if SQLite prepares it again.
    const prepared = vi.spyOn(globalThis, 'Function');
    onTestFinished(() => prepared.mockRestore());
    const submit = async (first: number): Promise<number> => {
      prepared.mockClear();
      const dates = [first, first + 1].map((days) => addDays(TODAY, days));
      const claims = dates.map((date) => ({
        respawn_id: 2,
        character_name,
        date,
        hour_start: 20,
        is_secondary_claim: 0,
        is_split_claim: 0,
      }));
      await app.api
        .post('/claims')
        .set('Idempotency-Key', `from ${first}`)
        .send({ access_key: key_value, claims })
        .expect(201);
      return prepared.mock.calls.length;
    };
    expect(await submit(0)).toBeGreaterThan(0);
    expect(await submit(2)).toBe(0);
  });
});
