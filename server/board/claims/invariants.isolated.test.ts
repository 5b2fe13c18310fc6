import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { hoursIn } from '../../../shared/rules/hours.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { aKey, anActiveEvent, anEvent, aRespawn, submit } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { allEvents } from '../records/guild.ts';
import { findRespawns } from '../records/respawns.ts';
import { loadClaims } from './claim-records.ts';
import { wrongCounts } from './consistency.ts';

const hour = fc.integer({ min: 0, max: 24 });
const spot = fc.integer({ min: 1, max: 3 });
const day = fc.integer({ min: 21, max: 28 }).map((date) => `2026-11-${date}`);

type Step =
  | {
      do: 'claim';
      key: number;
      spot: number;
      date: string;
      start: number;
      end: number;
      secondary: boolean;
    }
  | {
      do: 'split';
      key: number;
      spots: [number, number];
      date: string;
      starts: [number, number];
      lengths: [number, number];
    }
  | { do: 'edit times'; nth: number; start: number; end: number }
  | { do: 'edit event'; event: number; from: string; to: string }
  | { do: 'activate' | 'deactivate'; event: number }
  | { do: 'delete'; nth: number }
  | { do: 'switch spot'; spot: number; on: boolean }
  | { do: 'replace spot'; spot: number }
  | { do: 'clear'; spot: number }
  | { do: 'delete event'; event: number }
  | { do: 'undo'; nth: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      key: fc.nat(5),
      spot,
      date: day,
      start: hour,
      end: hour,
      secondary: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('split' as const),
      key: fc.nat(5),
      spots: fc.tuple(spot, spot),
      date: day,
      starts: fc.tuple(hour, hour),
      lengths: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('edit times' as const),
      nth: fc.nat(30),
      start: hour,
      end: hour,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit event' as const),
      event: fc.nat(1),
      from: day,
      to: day,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('activate' as const, 'deactivate' as const),
      event: fc.nat(1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), nth: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('switch spot' as const), spot, on: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace spot' as const), spot }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), spot }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('delete event' as const), event: fc.nat(1) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('undo' as const), nth: fc.nat(30) }) },
);

async function nthClaim(app: TestApp, nth: number): Promise<number> {
  const claims = await app.ctx.db.selectFrom('claims').select('id').orderBy('id').execute();
  return claims[nth % Math.max(claims.length, 1)]?.id ?? 1;
}

/** The nth deletion that can be undone. */
async function nthUndo(app: TestApp, nth: number): Promise<number> {
  const entries = await app.ctx.db
    .selectFrom('undos')
    .select('entry_id')
    .orderBy('entry_id')
    .execute();
  return entries[nth % Math.max(entries.length, 1)]?.entry_id ?? 1;
}

interface Scene {
  keys: readonly AccessKey[];
  events: readonly number[];
  /** The respawns that are spots 1, 2 and 3. */
  respawns: number[];
}

async function play(app: TestApp, { keys, events, respawns }: Scene, one: Step): Promise<number> {
  const respawnOf = (spot: number): number => respawns[spot - 1] ?? 0;
  const key = 'key' in one ? keys[one.key % keys.length] : keys[0];
  if (!key) throw new Error('a key');
  const base = { character_name: key.character_name };
  switch (one.do) {
    case 'claim': {
      const primary = {
        ...base,
        respawn_id: respawnOf(one.spot),
        date: one.date,
        hour_start: one.start,
        hour_end: one.end,
      };
      const secondary = {
        ...primary,
        respawn_id: respawnOf((one.spot % 3) + 1),
        is_secondary_claim: 1 as const,
      };
      return (await submit(app, key, ...(one.secondary ? [primary, secondary] : [primary]))).status;
    }
    case 'split': {
      const part = (at: 0 | 1) => ({
        part_number: at + 1,
        respawn_id: respawnOf(one.spots[at]),
        hour_start: one.starts[at],
        duration: one.lengths[at],
      });
      const split = {
        ...base,
        respawn_id: respawnOf(one.spots[0]),
        date: one.date,
        is_split_claim: 1 as const,
        split_parts: [part(0), part(1)],
      };
      return (await submit(app, key, split)).status;
    }
    case 'edit times': {
      const at = `/claims/admin/${await nthClaim(app, one.nth)}`;
      return (
        await app.api.put(at).set(app.admin).send({ hour_start: one.start, hour_end: one.end })
      ).status;
    }
    case 'edit event': {
      const times = { start_time: `${one.from}T10:00`, end_time: `${one.to}T11:00` };
      return (await app.api.put(`/events/${events[one.event]}`).set(app.admin).send(times)).status;
    }
    case 'delete':
      return (await app.api.delete(`/admin/claims/${await nthClaim(app, one.nth)}`).set(app.admin))
        .status;
    case 'clear':
      return (await app.api.delete(`/claims/admin/respawn/${respawnOf(one.spot)}`).set(app.admin))
        .status;
    case 'delete event':
      return (await app.api.delete(`/events/${events[one.event]}`).set(app.admin)).status;
    case 'undo':
      return (
        await app.api.post(`/admin/activity-log/${await nthUndo(app, one.nth)}/undo`).set(app.admin)
      ).status;
    case 'switch spot':
      return (
        await app.api
          .put(`/admin/respawns/${respawnOf(one.spot)}`)
          .set(app.admin)
          .send({ is_enabled: one.on })
      ).status;
    case 'replace spot': {
      const { status } = await app.api
        .delete(`/admin/respawns/${respawnOf(one.spot)}`)
        .set(app.admin);
      respawns[one.spot - 1] = (await aRespawn(app)).id;
      return status;
    }
    default:
      return (await app.api.post(`/events/${events[one.event]}/${one.do}`).set(app.admin)).status;
  }
}

/** Everything stored, without the table that only grows. */
async function everything(app: TestApp): Promise<unknown> {
  const { db } = app.ctx;
  return {
    clock: await db.selectFrom('clock').selectAll().execute(),
    claims: await loadClaims(db, { type: 'all' }),
    events: await allEvents(db),
    respawns: await findRespawns(db),
    hours: await db
      .selectFrom('occupied_hours')
      .selectAll()
      .orderBy('respawn_id')
      .orderBy('date')
      .orderBy('hour')
      .execute(),
    days: await db
      .selectFrom('occupied_days')
      .selectAll()
      .orderBy('character_key')
      .orderBy('date')
      .execute(),
  };
}

/** R7.1, R7.2, R3.4, R2.2: computed from the claims themselves, then compared with the occupancy rows. */
async function expectInvariants(app: TestApp): Promise<void> {
  const { db } = app.ctx;
  const events = new Map((await allEvents(db)).map((event) => [event.id, event]));
  const hours = new Map<string, number>();
  const days = new Map<string, number>();
  for (const claim of await loadClaims(db, { type: 'all' })) {
    const event = claim.event_id === null ? undefined : events.get(claim.event_id);
    const period = event
      ? datesBetween(eventDate(event.start_time), eventDate(event.end_time))
      : null;
    const dates = claim.date === null ? (period ?? []) : [claim.date];
    if (period) for (const date of dates) expect(period).toContain(date);
    if (claim.is_secondary_claim) continue;
    for (const date of dates) {
      const character = `${claim.character_name} ${date}`;
      expect(days.has(character), `${character} is on two spots`).toBe(false);
      days.set(character, claim.id);
      for (const part of claimOnRespawns(claim)) {
        expect(part.hour_end).toBeLessThanOrEqual(24);
        for (const each of hoursIn(part)) {
          const slot = `${part.respawn_id} ${date} ${each}`;
          expect(hours.has(slot), `${slot} is held twice`).toBe(false);
          hours.set(slot, claim.id);
        }
      }
    }
  }
  expect(await wrongCounts(db)).toEqual([]);
  const storedHours = await db.selectFrom('occupied_hours').selectAll().execute();
  expect(
    new Map(storedHours.map((row) => [`${row.respawn_id} ${row.date} ${row.hour}`, row.claim_id])),
  ).toEqual(hours);
  const storedDays = await db.selectFrom('occupied_days').select(['date', 'claim_id']).execute();
  expect(storedDays.map((row) => `${row.claim_id} ${row.date}`).sort()).toEqual(
    [...days].map(([at, id]) => `${id} ${at.slice(-10)}`).sort(),
  );
}

// A failing run prints its seed; it is played again by putting it here.
const SEED = Number(process.env.INVARIANTS_SEED ?? 20261121);

describe.each(databases)(
  'any sequence of submissions, edits, moves and deletions on %s',
  (dialect) => {
    it('R4.8: holds no hour twice, no character on two spots of a date, all inside the event, and a refusal changes nothing', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 40 }), async (steps) => {
          const app = await createTestApp(dialect);
          const keys = await Promise.all(
            ['member', 'elite', 'vice', 'member', 'elite', 'member'].map((type) =>
              aKey(app, undefined, type),
            ),
          );
          const first = await anActiveEvent(app, {
            start_time: '2026-11-22T10:00',
            end_time: '2026-11-27T10:00',
          });
          const second = await anEvent(app, {
            type: 'single_claim',
            start_time: '2026-11-24T10:00',
            end_time: '2026-11-26T10:00',
          });
          const scene = { keys, events: [first.id, second.id], respawns: [1, 2, 3] };
          for (const one of steps) {
            const before = await everything(app);
            const status = await play(app, scene, one);
            expect(status, JSON.stringify(one)).toBeLessThan(500);
            if (status >= 400) expect(await everything(app), JSON.stringify(one)).toEqual(before);
            await expectInvariants(app);
          }
        }),
        { seed: SEED, numRuns: 4, endOnFailure: true },
      );
    }, 240_000);
  },
);
