import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../shared/rules/server-save.ts';
import { BATCH_SIZE } from '../../db/database.ts';
import { MANY_ROWS } from '../../db/unit-of-work.ts';
import { aKey, anActiveEvent, change } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { moveEventDates } from '../events/event-dates.ts';
import { findEvent } from '../records/guild.ts';
import { beginClaimWrite } from './claims-changed.ts';
import { deleteClaims } from './end-claims.ts';
import {
  countHours,
  type DateRange,
  datesOutside,
  FREED_PER_STATEMENT,
  rowsOfEvent,
} from './occupancy.ts';

const CLAIMS = 20;
const DAYS = 120;
const HOURS = 4;
/** The occupancy rows of the event's claims. */
const ROWS = CLAIMS * DAYS * (HOURS + 1);
const LAST = addDays(TODAY, DAYS - 1);

/** How many rows each statement of some work wrote, besides those that go with others. */
async function rowsWritten(app: TestApp, work: Parameters<typeof change>[1]) {
  const statements: number[] = [];
  const writing = new WeakSet<object>();
  const counting: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (node.kind !== 'SelectQueryNode') writing.add(queryId);
      return node;
    },
    // SQLite says of a statement that returns rows no number.
    transformResult: async ({ result, queryId }) => {
      if (writing.has(queryId))
        statements.push(Math.max(Number(result.numAffectedRows ?? 0), result.rows.length));
      return result;
    },
  };
  await change(app, (unit) => work({ ...unit, tx: unit.tx.withPlugin(counting) }));
  return { most: Math.max(...statements), sum: statements.reduce((sum, rows) => sum + rows, 0) };
}

async function occupied({
  ctx,
}: TestApp): Promise<{ hours: number; days: number; first: string | null; last: string | null }> {
  const of = async (table: 'occupied_hours' | 'occupied_days') =>
    ctx.db
      .selectFrom(table)
      .select(({ fn }) => [
        fn.countAll<number>().as('n'),
        fn.min<string | null>('date').as('first'),
        fn.max<string | null>('date').as('last'),
      ])
      .executeTakeFirstOrThrow();
  const hours = await of('occupied_hours');
  const days = await of('occupied_days');
  return { hours: Number(hours.n), days: Number(days.n), first: hours.first, last: hours.last };
}

/** An event that lasts long, with claims that last as long, on four spots. */
async function aLongEvent(app: TestApp): Promise<{ event_id: number; ids: number[] }> {
  const { id: event_id } = await anActiveEvent(app, {
    type: 'single_claim',
    start_time: `${TODAY}T00:00`,
    end_time: `${LAST}T23:59`,
  });
  for (let at = 0; at < CLAIMS; at += 1) {
    const key = await aKey(app);
    const claim = {
      respawn_id: 1 + (at % 4),
      character_name: key.character_name,
      hour_start: Math.floor(at / 4) * HOURS,
    };
    await app.api
      .post('/claims')
      .send({
        access_key: key.key_value,
        claims: [{ ...claim, hour_end: claim.hour_start + HOURS }],
      })
      .expect(201);
  }
  const claims = await app.ctx.db
    .selectFrom('claims')
    .select('id')
    .where('event_id', '=', event_id)
    .execute();
  return { event_id, ids: claims.map(({ id }) => id) };
}

describe.each(databases)('the claims of a long single_claim event on %s', (dialect) => {
  it('are moved by the dates that change, and deleted in statements of a bounded number of rows', {
    timeout: 60_000,
  }, async () => {
    const app = await createTestApp(dialect);
    const { event_id, ids } = await aLongEvent(app);
    expect(await occupied(app)).toEqual({
      hours: CLAIMS * DAYS * HOURS,
      days: CLAIMS * DAYS,
      first: TODAY,
      last: LAST,
    });
    const event = await findEvent(app.ctx.db, event_id);
    if (!event) throw new Error('the event');
    // So many rows are written on the worker connection, while the event loop is free.
    expect(rowsOfEvent(event)).toBe(ROWS);
    expect(rowsOfEvent(event)).toBeGreaterThanOrEqual(MANY_ROWS);
    expect(await countHours(app.ctx.db, 'respawn_id', [1])).toBe((CLAIMS / 4) * DAYS * HOURS);

    const actor = { role: 'server' } as const;
    // A day later: one day ends and one is added.
    const later = {
      start_time: `${addDays(TODAY, 1)}T00:00`,
      end_time: `${addDays(LAST, 1)}T23:59`,
    };
    const byOneDay = await rowsWritten(app, (unit) =>
      moveEventDates({ ...unit, actor }, event, later),
    );
    expect(byOneDay.sum).toBeLessThan(3 * CLAIMS * (HOURS + 1) + CLAIMS + 10);
    expect(await occupied(app)).toMatchObject({
      hours: CLAIMS * DAYS * HOURS,
      first: addDays(TODAY, 1),
      last: addDays(LAST, 1),
    });

    // To dates of which it had none.
    const far = {
      start_time: `${addDays(TODAY, 300)}T00:00`,
      end_time: `${addDays(LAST, 300)}T23:59`,
    };
    const all = await rowsWritten(app, (unit) =>
      moveEventDates({ ...unit, actor }, { ...event, ...later }, far),
    );
    expect(all.sum).toBeGreaterThanOrEqual(2 * ROWS);
    expect(all.most).toBeLessThanOrEqual(Math.max(FREED_PER_STATEMENT, BATCH_SIZE));
    expect(await occupied(app)).toMatchObject({
      hours: CLAIMS * DAYS * HOURS,
      days: CLAIMS * DAYS,
      first: addDays(TODAY, 300),
    });

    await change(app, ({ tx }) =>
      tx.updateTable('events').set(far).where('id', '=', event_id).execute(),
    );
    const deleted = await rowsWritten(app, async (unit) =>
      deleteClaims(
        await beginClaimWrite(unit, { role: 'server' }),
        { type: 'ids', ids },
        { cause: 'released' },
      ),
    );
    // None of the hours and days are left to the deletion of the claims.
    expect(deleted.sum).toBeGreaterThanOrEqual(ROWS + CLAIMS);
    expect(deleted.most).toBeLessThanOrEqual(FREED_PER_STATEMENT);
    expect(await occupied(app)).toMatchObject({ hours: 0, days: 0 });
  });
});

it('the dates that one range has and another has not are none, or those at its ends', () => {
  const range = (first: string, last: string): DateRange => ({
    first: `2026-11-${first}`,
    last: `2026-11-${last}`,
  });
  const november = range('10', '20');
  expect(datesOutside(november, november)).toEqual([]);
  expect(datesOutside(november, range('01', '30'))).toEqual([]);
  expect(datesOutside(november, range('12', '18'))).toEqual([range('10', '11'), range('19', '20')]);
  expect(datesOutside(november, range('15', '25'))).toEqual([range('10', '14')]);
  expect(datesOutside(november, range('01', '19'))).toEqual([range('20', '20')]);
  expect(datesOutside(november, range('21', '25'))).toEqual([november]);
});
