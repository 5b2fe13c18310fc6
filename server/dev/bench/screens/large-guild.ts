import { nameKey } from '../../../../shared/rules/names.ts';
import { addDays, datesBetween } from '../../../../shared/rules/server-save.ts';
import { recount } from '../../../board/claims/consistency.ts';
import { occupy } from '../../../board/claims/occupancy.ts';
import type { Context } from '../../../context.ts';
import { serverSaveToday } from '../../../db/clock/server-save-clock.ts';
import { inBatches } from '../../../db/database.ts';
import { write } from '../../../db/unit-of-work.ts';

export interface GuildSize {
  spots: number;
  days: number;
  /** Four-hour claims per spot and day, at most 6. */
  claims_a_day: number;
}

export interface LargeGuild {
  claims: number;
  dates: readonly string[];
  /** Spots whose last four hours are free on every date. */
  free_spots: readonly number[];
}

const HOURS = 4;
const FREE_SPOTS = 20;
const TYPES = ['member', 'elite', 'vice'] as const;

/** Fills an empty database with an active event and its claims by plain inserts, without the rules. */
export function fillLargeGuild(
  ctx: Context,
  { spots, days, claims_a_day }: GuildSize,
): Promise<LargeGuild> {
  const today = serverSaveToday(ctx);
  const start = addDays(today, -2);
  const end = addDays(today, days - 3);
  const created_at = ctx.now().toISOString();
  return write(ctx, async ({ tx, changes }) => {
    const { id: event_id } = await tx
      .insertInto('events')
      .values({
        name: 'Bench',
        name_key: 'bench',
        type: 'multiple_claims',
        start_time: start,
        end_time: end,
        is_active: 1,
        created_at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const there = await tx
      .selectFrom('respawns')
      .select('id')
      .where('is_enabled', '=', 1)
      .orderBy('id')
      .limit(spots)
      .execute();
    for (let at = there.length; at < spots; at++) {
      const name = `Bench spot ${at}`;
      const spot = {
        name,
        name_key: nameKey(name),
        image: 'boosted-creature.gif',
        category_id: 1,
        created_at,
      };
      there.push(
        await tx.insertInto('respawns').values(spot).returning('id').executeTakeFirstOrThrow(),
      );
    }
    const dates = datesBetween(start, end);
    let claims = 0;
    for (const [at, { id: respawn_id }] of there.entries()) {
      const slots = at < FREE_SPOTS ? Math.min(claims_a_day, 24 / HOURS - 1) : claims_a_day;
      for (let slot = 0; slot < slots; slot++) {
        const character_name = `Hunter ${at}-${slot}`;
        const character_key = nameKey(character_name);
        const claim = {
          event_id,
          character_name,
          character_key,
          member_type: TYPES[(at + slot) % TYPES.length] ?? 'member',
          custom_duration: null,
          voucher_duration: HOURS,
          is_secondary_claim: 0 as const,
          secondary_priority: 0,
          primary_claim_id: null,
          is_split_claim: 0 as const,
          created_at,
        };
        const ids = await tx
          .insertInto('claims')
          .values(dates.map((date) => ({ ...claim, date })))
          .returning(['id', 'date'])
          .execute();
        const part = {
          part_number: 1,
          respawn_id,
          hour_start: slot * HOURS,
          hour_end: (slot + 1) * HOURS,
        };
        for (const batch of inBatches(ids)) {
          await tx
            .insertInto('claim_parts')
            .values(
              batch.map(({ id, date }) => ({ ...part, claim_id: id, last_date: date ?? end })),
            )
            .execute();
        }
        for (const { id, date } of ids)
          await occupy(tx, [
            { claim_id: id, character_key, parts: [part], dates: [date ?? start] },
          ]);
        claims += ids.length;
      }
    }
    await recount(tx);
    changes.reset();
    return { claims, dates, free_spots: there.slice(0, FREE_SPOTS).map(({ id }) => id) };
  });
}
