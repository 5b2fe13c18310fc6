import { sql } from 'kysely';
import { recountOwners } from '../../board/claims/consistency.ts';
import { change } from './builders.ts';
import { type TestApp, TODAY } from './test-app.ts';

export interface ManyClaims {
  count: number;
  /** The number of spots, from spot 1 on, with equally many claims each. */
  spots?: number;
  event_id?: number;
  /** Of the first one; the others follow. */
  first_id?: number;
  who?: string;
}

/** Claims that a statement writes: none may take longer than the database is given. */
const AT_ONCE = 5_000;

/** Inserts many one-hour claims from today on, with their occupancy rows. */
export async function manyClaims(app: TestApp, claims: ManyClaims): Promise<void> {
  for (let from = 0; from < claims.count; from += AT_ONCE)
    await someClaims(app, claims, from, Math.min(from + AT_ONCE, claims.count));
  await change(app, ({ tx }) => recountOwners(tx));
}

async function someClaims(
  app: TestApp,
  { count, spots = 1, event_id, first_id = 1_000_000, who = 'crowd' }: ManyClaims,
  from: number,
  until: number,
): Promise<void> {
  const each = Math.ceil(count / spots);
  const day = sql.raw(`(i % ${each}) / 24`);
  const date =
    app.ctx.dialect === 'postgres'
      ? sql`to_char(date '${sql.raw(TODAY)}' + ${day}, 'YYYY-MM-DD')`
      : sql`date('${sql.raw(TODAY)}', '+' || (${day}) || ' days')`;
  const numbers = sql.raw(
    `with recursive numbers(i) as (select ${from} union all select i + 1 from numbers where i < ${until - 1})`,
  );
  const id = sql.raw(`${first_id} + i`);
  const spot = sql.raw(`1 + i / ${each}`);
  const hour = sql.raw(`(i % ${each}) % 24`);
  const name = sql`'${sql.raw(who)} ' || (${spot}) || '-' || (${hour})`;
  await change(app, async ({ tx }) => {
    // The rows that each row refers to exist: looking them up one by one would cost as much as writing them.
    if (app.ctx.dialect === 'postgres')
      await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into claims (id, event_id, character_name, character_key, member_type, date, custom_duration, voucher_duration,
        is_secondary_claim, secondary_priority, primary_claim_id, is_split_claim, created_at)
      ${numbers} select ${id}, ${sql.raw(String(event_id ?? 'null'))}, ${name}, ${name}, 'member', ${date}, 1, 4, 0, 0, null, 0,
        '2026-11-20T12:00:00.000Z' from numbers`.execute(tx);
    await sql`insert into claim_parts (claim_id, part_number, respawn_id, hour_start, hour_end, last_date)
      ${numbers} select ${id}, 1, ${spot}, ${hour}, ${hour} + 1, ${date} from numbers`.execute(tx);
    await sql`insert into occupied_hours (respawn_id, date, hour, claim_id)
      ${numbers} select ${spot}, ${date}, ${hour}, ${id} from numbers`.execute(tx);
    await sql`insert into occupied_days (character_key, date, claim_id) ${numbers} select ${name}, ${date}, ${id} from numbers`.execute(
      tx,
    );
  });
}
