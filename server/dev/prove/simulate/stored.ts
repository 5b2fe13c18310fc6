import { z } from 'zod';
import { storedClaim } from '../../../board/claims/restore.ts';
import { storedEvent } from '../../../board/events/restore.ts';
import { nextEnd } from './expiry.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { type Held, heldIn, type Model } from './model.ts';
import type { Holds } from './waits.ts';

/** Rows of the database as plain lines, to compare with the model's. */
type Lines = readonly string[];

const sorted = (lines: Iterable<string>): Lines => [...lines].sort();
const line = (...fields: unknown[]): string => JSON.stringify(fields);

/** The database's rows; read once, however many orders are tried to explain them. */
export interface StoredLines {
  lines: ReadonlyMap<string, Lines>;
  /** The counts that every write updates, and a recount. */
  counts: readonly [string, Lines, Lines][];
  /** The server's next deadline, in milliseconds; null: none before the next write. */
  nextDue: number | null;
  /** Who is passed over, by the wait, and until when, in milliseconds. */
  quiet: ReadonlyMap<number, number>;
}

/** @returns what is stored otherwise than the model has it, in words; null: nothing */
export function difference(model: Model, { lines, counts, nextDue }: StoredLines): string | null {
  for (const [what, known] of linesOf(model)) {
    const wrong = otherLines(what, lines.get(what) ?? [], sorted(known));
    if (wrong) return wrong;
  }
  for (const count of counts) {
    const wrong = otherLines(...count);
    if (wrong) return wrong;
  }
  const due = nextEnd(model.wentBack ? asIfAwake(model) : model);
  return due < (nextDue ?? Number.POSITIVE_INFINITY)
    ? `what ends at ${new Date(due).toISOString()} is not waited for`
    : null;
}

/** Ignores skipped entries: whether an entry is skipped depends on what was done since time went back. */
const asIfAwake = (model: Model): Model => ({
  ...model,
  waits: new Map([...model.waits].map(([id, wait]) => [id, { ...wait, quiet: null }])),
});

function otherLines(what: string, held: Lines, known: Lines): string | null {
  if (held.length === known.length && held.every((row, at) => row === known[at])) return null;
  const extra = held.filter((row) => !known.includes(row));
  const lacking = known.filter((row) => !held.includes(row));
  return `${what}: stored but not acknowledged ${extra.join(' ') || '-'}; acknowledged but not stored ${lacking.join(' ') || '-'}`;
}

function* linesOf(model: Model): Generator<[string, Iterable<string>]> {
  yield ['claims', [...model.claims].map(([id, claim]) => lineOf(id, claim))];
  yield ['hours and days held', [...heldIn(model)].map(([holding, id]) => line(holding, id))];
  yield ['spots', [...model.spots].map(([id, on]) => line(id, on ? 1 : 0))];
  yield [
    'events',
    [...model.events].map(([id, { single, from, to, active }]) =>
      line(id, single ? 1 : 0, from, to, active ? 1 : 0),
    ),
  ];
  yield [
    'keys',
    [...model.keys].map(([who, { id, revoked, type }]) => line(id, who, revoked ? 1 : 0, type)),
  ];
  yield ['bans', [...model.banned].map((who) => line(who))];
  const { waits, release, confirm, hold, grace, noShowLimit } = model.rules;
  yield [
    'settings',
    [line(...[model.submission, waits, release, confirm].map(Number), hold, grace, noShowLimit)],
  ];
  yield ['budgets', [...model.budgets].map(([type, { day, event }]) => line(type, day, event))];
  yield ['lines', waitsIn(model)];
  yield [
    'quiet hours',
    [...model.quiet].map(([who, { from, until }]) => line(who.toLowerCase(), from, until)),
  ];
  if (!model.wentBack)
    yield [
      'passed over',
      [...model.waits].flatMap(([id, { quiet }]) =>
        quiet === null ? [] : [line(id, isoOf(quiet))],
      ),
    ];
  yield [
    'who was in line',
    [...model.left].map(([id, { status, hold }]) => line(id, status, 0, hold, null)),
  ];
  yield ['how many wait', [line(model.waits.size)]];
  if (!model.wentBack) yield ['open offers', [...model.offers.keys()].map((id) => line(id))];
  yield [
    'weekly claims',
    [...model.weekly].map(([id, { who, spot, days, start, end, joins, paused }]) =>
      line(id, who, spot, days.join(''), start, end, joins ? 1 : 0, paused ? 1 : 0),
    ),
  ];
  yield [
    'claims of weekly claims',
    [...model.madeBy].flatMap(([claim, id]) => (model.claims.has(claim) ? [line(claim, id)] : [])),
  ];
  yield [
    'endings',
    model.endings.map(({ claim, reason, spot, start, end }) =>
      line(claim, reason, spot, start, end),
    ),
  ];
  // A change and a deletion, or a deletion and a restoration, at the same time: only the log tells their order.
  yield [
    'deletions',
    [...model.taken].flatMap(([of, times]) =>
      times.map(({ undone, isKept, event, claims }, nth) =>
        undone || !isKept
          ? line(of, nth)
          : line(
              of,
              nth,
              event?.known.from,
              event?.known.to,
              ...sorted([...claims].map(([id, claim]) => lineOf(id, claim))),
            ),
      ),
    ),
  ];
}

/** All open entries with their positions, from 1 in order of joining. */
function waitsIn({ waits, claims }: Model): string[] {
  const places = new Map<string, number>();
  return [...waits].map(
    ([id, { who, type, event, spot, date, start, end, least, wanted, hold }]) => {
      const place = (places.get(`${spot} ${date}`) ?? 0) + 1;
      places.set(`${spot} ${date}`, place);
      const until = hold === null ? null : (claims.get(hold)?.until ?? null);
      const bits = wanted.reduce((sum, hour) => sum + 2 ** hour, 0);
      return line(
        id,
        who,
        type,
        event,
        spot,
        date,
        start,
        end,
        least,
        bits,
        hold === null ? 'waiting' : 'offered',
        place,
        hold,
        isoOf(until),
      );
    },
  );
}

const isoOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

const passedOver =
  'select id, quiet_until from waits where ended_at is null and quiet_until is not null';
const minuteOf = (column: string): string =>
  `substr(${column}, 1, 2) * 60 + substr(${column}, 4, 2)`;

export function readStored(database: MemoryDatabase): StoredLines {
  const read = (sql: string): Lines =>
    sorted(database.rows(sql).map((row) => line(...Object.values(row))));
  // The characters of a world are lower case without their first letter.
  const days =
    "select upper(substr(character_key, 1, 1)) || substr(character_key, 2) || ' ' || date, claim_id from occupied_days";
  const hours = `select respawn_id || ' ' || date || ' ' || hour, claim_id from occupied_hours union all ${days}`;
  const ofEvents =
    "select id, type = 'single_claim', substr(start_time, 1, 10), substr(end_time, 1, 10), is_active from events";
  const settings =
    'submission_enabled, waits_enabled, release_enabled, confirm_enabled, hold_minutes, grace_minutes, no_show_limit';
  const place =
    'character_name, member_type, event_id, respawn_id, date, hour_start, hour_end, min_hours, wanted_hours';
  const lines = new Map([
    ['claims', storedClaims(database)],
    ['hours and days held', read(hours)],
    ['spots', read('select id, is_enabled from respawns')],
    ['events', read(ofEvents)],
    ['keys', read('select id, character_name, is_revoked, member_type from access_keys')],
    ['bans', read('select character_name from bans')],
    ['settings', read(`select ${settings} from config`)],
    [
      'budgets',
      read('select member_type, max_hours_per_day, max_hours_per_event from member_types'),
    ],
    [
      'lines',
      read(
        `select id, ${place}, status, position, held_claim_id, held_until from waits where ended_at is null`,
      ),
    ],
    [
      'quiet hours',
      read(
        `select character_key, ${minuteOf('quiet_from')}, ${minuteOf('quiet_until')} from push_preferences where quiet_from is not null`,
      ),
    ],
    ['passed over', read(passedOver)],
    [
      'who was in line',
      read(
        'select id, status, position, held_claim_id, held_until from waits where ended_at is not null',
      ),
    ],
    ['how many wait', read('select open_waits from clock')],
    ['open offers', read('select id from transfers where ended_at is null')],
    [
      'weekly claims',
      read(
        'select id, character_name, respawn_id, weekdays, hour_start, hour_end, join_waitlist, is_paused from standing_claims where ended_at is null',
      ),
    ],
    [
      'claims of weekly claims',
      read('select id, standing_id from claims where standing_id is not null'),
    ],
    [
      'endings',
      read('select claim_id, reason, respawn_id, hour_start, hour_end from claim_endings'),
    ],
    ['deletions', sorted(storedDeletions(database))],
  ]);
  const [clock] = database.rows('select next_due from clock');
  const quiet = new Map(
    database
      .rows(passedOver)
      .map(({ id, quiet_until }) => [Number(id), Date.parse(String(quiet_until))]),
  );
  return {
    quiet,
    lines,
    counts: countsIn(read),
    nextDue: clock?.next_due == null ? null : Date.parse(String(clock.next_due)),
  };
}

/** Updated with every write, and recounted here. */
function countsIn(read: (sql: string) => Lines): [string, Lines, Lines][] {
  const lastDates = 'coalesce(claims.date, substr(events.end_time, 1, 10))';
  const parts = `select respawn_id, claim_id, ${lastDates} as over from claim_parts
    join claims on claims.id = claim_id left join events on events.id = event_id`;
  const counted = `select id, count(distinct claim_id), max(over) from respawns left join (${parts}) on respawn_id = respawns.id group by id`;
  const ofEvent = '(select count(*) from claims where event_id = events.id)';
  return [
    [
      'counts of spots',
      read('select id, total_claims, last_claim_date from respawns'),
      read(counted),
    ],
    [
      'counts of events',
      read('select id, claim_count from events'),
      read(`select id, ${ofEvent} from events`),
    ],
  ];
}

/** Holds of current and former entries. */
export function storedHolds(database: MemoryDatabase): Holds {
  const rows = database.rows(
    'select waits.id, held_claim_id, claims.held_until from waits left join claims on claims.id = held_claim_id where held_claim_id is not null',
  );
  return new Map(
    rows.map(({ id, held_claim_id, held_until }) => [
      Number(id),
      {
        claim: Number(held_claim_id),
        until: held_until === null ? null : Date.parse(String(held_until)),
      },
    ]),
  );
}

function storedDeletions(database: MemoryDatabase): Lines {
  return undoable(database).map(({ entry, of, nth }) => {
    const [undo] = database.rows(
      `select id, event, pieces - record_pieces as claim_pieces from undos where entry_id = ${entry}`,
    );
    if (!undo) return line(of, nth);
    const event = undo.event === null ? null : storedEvent.parse(JSON.parse(String(undo.event)));
    const pieces = database.rows(
      `select body from undo_pieces where undo_id = ${undo.id} and piece < ${undo.claim_pieces} order by piece`,
    );
    const claims = pieces.flatMap(({ body }) =>
      z.array(storedClaim).parse(JSON.parse(String(body))),
    );
    const lines = claims.map(({ id, parts, ...claim }) =>
      lineOf(id, {
        who: claim.character_name,
        event: claim.event_id,
        date: claim.date,
        waits: claim.is_secondary_claim === 1,
        beside: claim.primary_claim_id,
        until: null,
        parts: parts.map(({ respawn_id, hour_start, hour_end, to_confirm }) => {
          return { spot: respawn_id, start: hour_start, end: hour_end, awaited: to_confirm === 1 };
        }),
      }),
    );
    return line(
      of,
      nth,
      event?.start_time.slice(0, 10),
      event?.end_time.slice(0, 10),
      ...sorted(lines),
    );
  });
}

const lineOf = (id: number, { who, event, date, parts, waits, beside, until }: Held): string =>
  line(
    id,
    who,
    event,
    date,
    waits ? 1 : 0,
    beside,
    isoOf(until),
    ...parts.map((part) => partLine(part.spot, part.start, part.end, part.awaited)),
  );

const partLine = (spot: unknown, start: unknown, end: unknown, awaited: unknown): string =>
  `${spot} ${start}-${end}${awaited ? ' ?' : ''}`;

function storedClaims(database: MemoryDatabase): Lines {
  const parts = Map.groupBy(
    database.rows('select * from claim_parts order by claim_id, part_number'),
    (row) => row.claim_id,
  );
  const columns =
    'id, character_name, event_id, date, is_secondary_claim, primary_claim_id, held_until';
  return sorted(
    database.rows(`select ${columns} from claims`).map(({ id, ...claim }) => {
      const its = (parts.get(id) ?? []).map((part) =>
        partLine(part.respawn_id, part.hour_start, part.hour_end, part.to_confirm),
      );
      return line(id, ...Object.values(claim), ...its);
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
    const facts: Record<string, unknown> = JSON.parse(String(details));
    if (facts.cleared || facts.deleted_count === 0) return [];
    const of =
      action === 'claim_deleted'
        ? `claim ${facts.claim_id}`
        : action === 'event_deleted'
          ? `event ${facts.event_id}`
          : `spot ${facts.respawn_id}`;
    const nth = times.get(of) ?? 0;
    times.set(of, nth + 1);
    return [{ entry: Number(id), of, nth }];
  });
}
