import { addDays, instantOf } from '../../../shared/rules/server-save.ts';
import { serverSaveClock, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import type { Reading } from '../../db/database.ts';

/** Look hunters up from this long before their claims begin. */
const SOON_MS = 30 * 60_000;

/** The characters whose claims run or begin within 30 minutes, by their names' keys. */
export async function nextHunters(ctx: Reading): Promise<Map<string, string>> {
  const { date: today } = serverSaveNow(ctx);
  const clock = serverSaveClock(ctx);
  const tomorrow = addDays(today, 1);
  const rows = await ctx.db
    // By spot and date: the hours have no index of dates alone.
    .selectFrom('respawns')
    .innerJoin('occupied_hours', 'occupied_hours.respawn_id', 'respawns.id')
    .innerJoin('claims', 'claims.id', 'occupied_hours.claim_id')
    .select(['character_key', 'character_name', 'occupied_hours.date', 'hour'])
    .where('occupied_hours.date', 'in', [today, tomorrow])
    .where('held_until', 'is', null)
    .execute();
  const now = ctx.now().getTime();
  const soon = rows.filter(({ date, hour }) => {
    const begins = instantOf(date, hour, clock).getTime();
    const ends = instantOf(date, hour + 1, clock).getTime();
    return begins - SOON_MS <= now && now < ends;
  });
  return new Map(soon.map(({ character_key, character_name }) => [character_key, character_name]));
}
