import { z } from 'zod';
import { storedClaim, storedEvent } from '../../activity/undo-rows.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { type Held, heldIn, type Model } from './model.ts';

/** Rows of the database as plain lines, to compare with the model's. */
type Lines = readonly string[];

const sorted = (lines: Iterable<string>): Lines => [...lines].sort();
const line = (...fields: unknown[]): string => JSON.stringify(fields);

/** @returns what the database holds otherwise than the model, in words; null: nothing */
export function difference(model: Model, database: MemoryDatabase): string | null {
  for (const [what, held, known] of sides(model, database)) {
    const extra = held.filter((row) => !known.includes(row));
    const lacking = known.filter((row) => !held.includes(row));
    if (extra.length > 0 || lacking.length > 0 || held.length !== known.length) {
      return `${what}: stored but not acknowledged ${extra.join(' ') || '-'}; acknowledged but not stored ${lacking.join(' ') || '-'}`;
    }
  }
  return null;
}

function* sides(model: Model, database: MemoryDatabase): Generator<[string, Lines, Lines]> {
  const read = (sql: string): Lines => sorted(database.rows(sql).map((row) => line(...Object.values(row))));
  yield ['claims', storedClaims(database), sorted([...model.claims].map(([id, claim]) => lineOf(id, claim)))];
  const holdings = [...heldIn(model)].map(([holding, id]) => line(holding, id));
  const hours = "select respawn_id || ' ' || date || ' ' || hour, claim_id from occupied_hours";
  // The characters of a world are lower case without their first letter.
  const days = "select upper(substr(character_key, 1, 1)) || substr(character_key, 2) || ' ' || date, claim_id from occupied_days";
  yield ['hours and days held', sorted([...read(hours), ...read(days)]), sorted(holdings)];
  // Kept with every write, and counted anew here.
  const lastDates = 'coalesce(claims.date, substr(events.end_time, 1, 10))';
  const parts = `select respawn_id, claim_id, ${lastDates} as over from claim_parts
    join claims on claims.id = claim_id left join events on events.id = event_id`;
  yield [
    'counts of spots',
    read('select id, total_claims, last_claim_date from respawns'),
    read(`select id, count(distinct claim_id), max(over) from respawns left join (${parts}) on respawn_id = respawns.id group by id`),
  ];
  const ofEvent = '(select count(*) from claims where event_id = events.id)';
  yield ['counts of events', read('select id, claim_count from events'), read(`select id, ${ofEvent} from events`)];
  const spots = [...model.spots].map(([id, on]) => line(id, on ? 1 : 0));
  yield ['spots', read('select id, is_enabled from respawns'), sorted(spots)];
  const events = [...model.events].map(([id, { single, from, to, active }]) => line(id, single ? 1 : 0, from, to, active ? 1 : 0));
  const ofEvents = "select id, type = 'single_claim', substr(start_time, 1, 10), substr(end_time, 1, 10), is_active from events";
  yield ['events', read(ofEvents), sorted(events)];
  const keys = [...model.keys].map(([who, { id, revoked, type }]) => line(id, who, revoked ? 1 : 0, type));
  yield ['keys', read('select id, character_name, is_revoked, member_type from access_keys'), sorted(keys)];
  yield ['bans', read('select character_name from bans'), sorted([...model.banned].map((who) => line(who)))];
  yield ['submission', read('select submission_enabled from config'), [line(model.submission ? 1 : 0)]];
  // What was changed and deleted, or deleted and restored, at the same time: only the entry in the log tells in which order.
  const taken = [...model.taken].flatMap(([of, times]) =>
    times.map(({ undone, event, claims }, nth) =>
      undone
        ? line(of, nth)
        : line(of, nth, event?.known.from, event?.known.to, ...sorted([...claims].map(([id, claim]) => lineOf(id, claim)))),
    ),
  );
  yield ['deletions', sorted(storedDeletions(database)), sorted(taken)];
}

function storedDeletions(database: MemoryDatabase): Lines {
  return undoable(database).map(({ entry, of, nth }) => {
    const [undo] = database.rows(`select id, event from undos where entry_id = ${entry}`);
    if (!undo) return line(of, nth);
    const event = undo.event === null ? null : storedEvent.parse(JSON.parse(String(undo.event)));
    const pieces = database.rows(`select body from undo_pieces where undo_id = ${undo.id} order by piece`);
    const claims = pieces.flatMap(({ body }) => z.array(storedClaim).parse(JSON.parse(String(body))));
    const lines = claims.map(({ id, parts, ...claim }) =>
      lineOf(id, {
        who: claim.character_name,
        event: claim.event_id,
        date: claim.date,
        waits: claim.is_secondary_claim === 1,
        beside: claim.primary_claim_id,
        parts: parts.map(({ respawn_id, hour_start, hour_end }) => ({ spot: respawn_id, start: hour_start, end: hour_end })),
      }),
    );
    return line(of, nth, event?.start_time.slice(0, 10), event?.end_time.slice(0, 10), ...sorted(lines));
  });
}

const lineOf = (id: number, { who, event, date, parts, waits, beside }: Held): string =>
  line(id, who, event, date, waits ? 1 : 0, beside, ...parts.map(({ spot, start, end }) => `${spot} ${start}-${end}`));

function storedClaims(database: MemoryDatabase): Lines {
  const parts = Map.groupBy(database.rows('select * from claim_parts order by claim_id, part_number'), (row) => row.claim_id);
  return sorted(
    database.rows('select id, character_name, event_id, date, is_secondary_claim, primary_claim_id from claims').map(({ id, ...claim }) => {
      const at = (parts.get(id) ?? []).map(({ respawn_id, hour_start, hour_end }) => `${respawn_id} ${hour_start}-${hour_end}`);
      return line(id, ...Object.values(claim), ...at);
    }),
  );
}

/** @returns what is wrong with the clock and its change sets; null: nothing */
export function brokenClock(database: MemoryDatabase): string | null {
  const [row] = database.rows(
    'select (select value from clock) as value, count(*) as sets, min(clock) as first, max(clock) as last from changes',
  );
  const { value, sets, first, last } = row ?? {};
  const isWhole = last === value && Number(last) - Number(first) + 1 === sets;
  return isWhole ? null : `clock ${value}, but ${sets} change sets from ${first} to ${last}`;
}

/** Entries of the log whose deletions can be undone, or were: what each deleted, and the how-manieth time. */
export function undoable(database: MemoryDatabase): { entry: number; of: string; nth: number }[] {
  const rows = database.rows(
    "select id, action, details from activity where action in ('claim_deleted', 'claims_cleared', 'event_deleted') order by id",
  );
  const times = new Map<string, number>();
  return rows.flatMap(({ id, action, details }) => {
    const told: Record<string, unknown> = JSON.parse(String(details));
    if (told.cleared || told.deleted_count === 0) return [];
    const of =
      action === 'claim_deleted'
        ? `claim ${told.claim_id}`
        : action === 'event_deleted'
          ? `event ${told.event_id}`
          : `spot ${told.respawn_id}`;
    const nth = times.get(of) ?? 0;
    times.set(of, nth + 1);
    return [{ entry: Number(id), of, nth }];
  });
}
