import { omit } from '../../../../shared/omit.ts';
import type { Command, Moment } from './command.ts';
import { judgeQueue } from './judge-lines.ts';
import { judgeSubmission, shutOutBy } from './judge-submission.ts';
import { allow, IDLE, idIn, type Judgement, refuse, simply } from './judgement.ts';
import type { MemoryDatabase } from './memory-database.ts';
import {
  activeIn,
  dayAfter,
  endClaims,
  type Held,
  type Made,
  type Model,
  VOUCHER,
  type Weekly,
} from './model.ts';

/** Weekly claims that a character may have. */
const PER_CHARACTER = 3;
/** Claims are made so many days before their date. */
const DAYS_AHEAD = 7;

export const isoWeekday = (date: string): number => new Date(`${date}T12:00:00Z`).getUTCDay() || 7;

/** A member makes a weekly claim; its claims of the next days are made by the same write. */
export function judgeNewWeekly(
  model: Model,
  command: Extract<Command, { do: 'make weekly' }>,
  moment: Moment,
): Judgement {
  const weekly = omit(command, 'do');
  const { who, spot, start, end } = weekly;
  const shutOut = shutOutBy(model, who);
  if (shutOut) return shutOut;
  const reasons = new Set<string>();
  if (!model.spots.has(spot)) reasons.add('respawn.notFound');
  else if (!model.spots.get(spot)) reasons.add('respawn.disabled');
  if (end - start > VOUCHER) reasons.add('standing.exceedsVoucher');
  if ([...model.weekly.values()].filter((other) => other.who === who).length >= PER_CHARACTER)
    reasons.add('standing.tooMany');
  if (reasons.size > 0) return refuse(...reasons);
  return allow((outcome, stored) => {
    const id = outcome ? idIn(outcome.data) : stored.weekly.shift();
    if (id == null) return 'a weekly claim without an id';
    model.weekly.set(id, { ...weekly, paused: false });
    return believe(model, stored.madeWith.get(id) ?? [], moment);
  });
}

/** Its owner, or an admin, pauses or resumes a weekly claim; the claims that are due are then made by the same write. */
export function judgePause(
  model: Model,
  { weekly: id, who, paused }: Extract<Command, { do: 'pause weekly' }>,
  moment: Moment,
): Judgement {
  const refused = refusalOf(model, id, who);
  if (refused) return refused;
  const weekly = model.weekly.get(id);
  if (!weekly || weekly.paused === paused) return IDLE;
  return allow((_, stored) => {
    model.weekly.set(id, { ...weekly, paused });
    return paused ? null : believe(model, stored.madeWith.get(id) ?? [], moment);
  });
}

/** Its claims stay, or those that have not begun and still are its character's end. */
export function judgeEndWeekly(
  model: Model,
  { weekly: id, who, release }: Extract<Command, { do: 'end weekly' }>,
  { today, hour }: Moment,
): Judgement {
  const refused = refusalOf(model, id, who);
  if (refused) return refused;
  const owner = model.weekly.get(id)?.who;
  const isAhead = ({ date, parts }: Held): boolean =>
    date !== null && (date > today || (date === today && (parts[0]?.start ?? 0) > hour));
  const ids = [...model.claims].filter(
    ([claim, held]) => model.madeBy.get(claim) === id && held.who === owner && isAhead(held),
  );
  return simply(() => {
    model.weekly.delete(id);
    if (!release) return;
    endClaims(
      model,
      ids.map(([claim]) => claim),
      // An admin deletes them, as the undo in the activity log says.
      who === null ? 'admin' : 'released',
    );
  });
}

/** @param who null: an admin */
function refusalOf(model: Model, id: number, who: string | null): Judgement | null {
  const shutOut = who === null ? null : shutOutBy(model, who);
  if (shutOut) return shutOut;
  const weekly = model.weekly.get(id);
  if (!weekly) return refuse('standing.notFound');
  return who !== null && weekly.who !== who ? refuse('standing.otherCharacter') : null;
}

/** The server's job makes claims of weekly claims, and joins waitlists for them. */
export const judgeMade = (
  model: Model,
  { made }: Extract<Command, { do: 'server makes' }>,
  moment: Moment,
): Judgement => allow(() => believe(model, made, moment));

/**
 * Adds the server's weekly claims to the model if the rules allow them: each date once, days ahead, as if the member had submitted them.
 * @returns the broken rule, or null
 */
export function believe(model: Model, made: readonly Made[], moment: Moment): string | null {
  for (const one of made) {
    const wrong = wrongWith(model, one, moment);
    if (wrong !== null)
      return `the weekly claim ${one.weekly} of ${one.date} was made although ${wrong}`;
  }
  return null;
}

function wrongWith(
  model: Model,
  { weekly: known, date, claim, wait }: Made,
  moment: Moment,
): string | null {
  // A standing claim that has ended meanwhile has left no trace of its waitlist entries.
  const id =
    known ?? [...model.weekly].find(([, { days }]) => days.includes(isoWeekday(date)))?.[0] ?? 0;
  const weekly = model.weekly.get(id);
  if (!weekly) return 'it had ended';
  if (weekly.paused || !model.spots.get(weekly.spot)) return 'it was paused, or its spot disabled';
  if (model.keys.get(weekly.who)?.revoked) return 'its key was revoked';
  if (!weekly.days.includes(isoWeekday(date))) return 'it is not of this weekday';
  if (date > dayAfter(moment.today, DAYS_AHEAD)) return 'it was too early for it';
  if (date < moment.today || (date === moment.today && weekly.start <= moment.hour))
    return 'its hours had begun';
  if (activeIn(model)?.[1].single) return 'an event of whole claims was active';
  if (claim !== null && model.madeOnce.has(`${id} ${date}`)) return 'it had been made before';
  const { reasons, apply } = judgementOf(model, weekly, date, claim !== null, moment);
  if (reasons.size > 0) return [...reasons].join(', ');
  const made = claim === null ? { id: wait } : [{ id: claim }];
  const wrong = apply({ status: 201, data: made, code: '', params: {} }, NOTHING);
  if (wrong !== null || claim === null) return wrong;
  model.madeBy.set(claim, id);
  model.madeOnce.add(`${id} ${date}`);
  return null;
}

const NOTHING = {
  claims: [],
  waits: [],
  offers: [],
  weekly: [],
  madeWith: new Map(),
  events: new Map(),
  keys: new Map(),
  holds: new Map(),
};

function judgementOf(
  model: Model,
  { who, spot, start, end }: Weekly,
  date: string,
  isClaim: boolean,
  moment: Moment,
): Judgement {
  const by = { who, asAdmin: false } as const;
  if (!isClaim)
    return judgeQueue(model, { do: 'queue', ...by, spot, date, start, end, least: 1 }, moment);
  const claims = [{ spot, date, start, hours: end - start, second: null, waiting: null }];
  return judgeSubmission(model, { do: 'submit', ...by, once: null, claims }, moment);
}

/** Weekly claims that the server made since a clock, by the clock of the write. */
export function madeSince(
  database: MemoryDatabase,
  clock: number,
): Map<number, { with: number | null; made: Made[] }> {
  const since = `activity.clock > ${clock}`;
  const claims = database.rows(
    `select activity.clock, standing_id, date, json_extract(details, '$.claim_id') as claim, null as wait from activity
      join (select id, standing_id, date from claims union select claim_id, standing_id, date from claim_endings) as known
        on known.id = json_extract(details, '$.claim_id')
      where ${since} and actor_kind = 'server' and action = 'claim_created' and standing_id is not null order by activity.id`,
  );
  const waits = database.rows(
    `select activity.clock, standing_id, json_extract(details, '$.date') as date, null as claim, json_extract(details, '$.wait_id') as wait
      from activity left join standing_occurrences on wait_id = json_extract(details, '$.wait_id')
      where ${since} and actor_kind = 'server' and action = 'wait_created' order by activity.id`,
  );
  const commands = database.rows(
    `select clock, json_extract(details, '$.standing_id') as id from activity
      where ${since} and action in ('standing_created', 'standing_updated')`,
  );
  const withCommand = new Map(commands.map((row) => [Number(row.clock), Number(row.id)]));
  const found = new Map<number, { with: number | null; made: Made[] }>();
  for (const row of [...claims, ...waits]) {
    const at = Number(row.clock);
    const of = found.get(at) ?? { with: withCommand.get(at) ?? null, made: [] };
    const [claim, wait] = [row.claim, row.wait].map((id) => (id === null ? null : Number(id)));
    of.made.push({
      weekly: row.standing_id === null ? null : Number(row.standing_id),
      date: String(row.date),
      claim: claim ?? null,
      wait: wait ?? null,
    });
    found.set(at, of);
  }
  // Dates go first: the earlier ones of all rules are made first, and a claim before the waitlist entry for its hours.
  for (const { made } of found.values())
    made.sort((a, b) =>
      a.date < b.date ? -1 : a.date > b.date ? 1 : (a.weekly ?? 0) - (b.weekly ?? 0),
    );
  return found;
}
