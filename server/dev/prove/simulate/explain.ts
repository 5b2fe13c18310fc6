import { type Command, EARLIER, type Moment, type Outcome } from './command.ts';
import { isStale, noteTime, notice } from './expiry.ts';
import { judge } from './judge.ts';
import { isUnseen } from './judge-settings.ts';
import { idsIn } from './judge-submission.ts';
import { endOffers } from './judge-transfers.ts';
import { idIn, type Stored } from './judgement.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { copyOf, type Made, type Model } from './model.ts';
import { difference, readStored, type StoredLines, storedHolds } from './stored.ts';
import { serve } from './waits.ts';
import { madeSince } from './weekly.ts';

/** A command and its outcome; null: its answer was lost. */
export interface CommandResult {
  command: Command;
  outcome: Outcome | null;
}

/** The outcome of the server's own actions. */
const DONE: Outcome = { status: 200, data: null, code: '', params: {} };

/**
 * Finds an order of what was asked for at the same time that explains all answers and all that is stored; what was
 * cut off may have happened or not.
 * @returns the model after it; or, where there is none, what is wrong in the order of asking
 */
export function explain(
  before: Model,
  commands: readonly CommandResult[],
  moment: Moment,
  database: MemoryDatabase,
): Model | string {
  const made = madeSince(database, before.clock);
  const byJob = [...made.values()].flatMap((write) =>
    write.with === null
      ? [{ command: { do: 'server makes', made: write.made } as const, outcome: DONE }]
      : [],
  );
  const results: readonly CommandResult[] = [...byJob, ...commands];
  let complaint: string | null = null;
  const stored = readStored(database);
  for (const order of orders(results)) {
    const unknown = withUnanswered(before, results, database, made);
    const model = replay(copyOf(before), order, moment, unknown);
    const wrong = typeof model === 'string' ? model : difference(model, stored);
    if (typeof model !== 'string' && wrong === null) return adopt(model, stored);
    complaint ??= wrong;
    if (typeof model === 'string' || !isStale(model, moment)) continue;
    // Another write came first, or a command that changes nothing was not the first.
    const waits = new Set(model.waits.keys());
    notice(model, moment, unknown.holds);
    endOffers(model, waits, moment);
    if (difference(model, stored) === null) return adopt(model, stored);
  }
  return complaint ?? 'nothing was told';
}

/** If time went back, the skipped entries are known only of waitlists with a write since. */
function adopt(model: Model, { quiet }: StoredLines): Model {
  if (model.wentBack)
    for (const [id, wait] of model.waits)
      model.waits.set(id, { ...wait, quiet: quiet.get(id) ?? null });
  return model;
}

/** Every order, each with every choice of which of those whose answer was lost did not happen. */
function* orders(results: readonly CommandResult[]): Generator<readonly CommandResult[]> {
  if (results.length === 0) yield [];
  for (const [at, first] of results.entries()) {
    for (const rest of orders(results.filter((_, other) => other !== at))) {
      yield [first, ...rest];
      if (first.outcome === null) yield rest;
    }
  }
}

/** @returns the model after it, or what is wrong */
function replay(
  before: Model,
  order: readonly CommandResult[],
  moment: Moment,
  stored: Stored,
): Model | string {
  let model = before;
  for (const { command, outcome } of order) {
    // A write first ends what has expired, and nothing if it is refused.
    const isLast = isUnseen(model, command);
    const after = !isLast && isStale(model, moment) ? copyOf(model) : model;
    if (after !== model) {
      const waits = new Set(after.waits.keys());
      notice(after, moment, stored.holds);
      endOffers(after, waits, moment);
    }
    const waits = new Set(after.waits.keys());
    const { reasons, apply, isIdle = false } = judge(after, command, moment);
    if (outcome === null) {
      if (reasons.size > 0)
        return `it was done although ${[...reasons].join(', ')}: ${JSON.stringify(command)}`;
    } else if (outcome.status >= 300) {
      if (outcome.status < 500 && isExpected(outcome, reasons, hasButtons(after, command, moment)))
        continue;
      const expected = reasons.size > 0 ? [...reasons].join(' or ') : 'success';
      return `answered ${outcome.status} ${outcome.code} ${JSON.stringify(outcome.params)} instead of ${expected}: ${JSON.stringify(command)}`;
    } else if (reasons.size > 0) {
      return `answered ${outcome.status} although ${[...reasons].join(', ')}: ${JSON.stringify(command)}`;
    }
    const wrong = apply(outcome?.isInWords ? null : outcome, stored);
    if (wrong !== null) return `${wrong}: ${JSON.stringify(command)}`;
    if (isIdle || isLast) continue;
    noteTime(after, moment);
    serve(after, moment, stored.holds);
    endOffers(after, waits, moment, command);
    model = after;
  }
  return model;
}

/**
 * In Discord a command may be refused before it begins, because its member is not linked or its button is out of date.
 * @param isOffered the member sees a button for it now
 */
const isExpected = (
  { code, codes = [code] }: Outcome,
  reasons: ReadonlySet<string>,
  isOffered: boolean,
): boolean => (code === EARLIER && !isOffered) || codes.some((each) => reasons.has(each));

/** Whether a member acts on an own claim that is not over, of any event or of none: no message may call its button out of date. */
function hasButtons(model: Model, command: Command, { today, ms }: Moment): boolean {
  if (command.do !== 'confirm' && command.do !== 'give back') return false;
  // A clock that was set back has left the board a day ahead.
  if (model.wentBack || ms < model.latest) return false;
  const { claims, keys, banned } = model;
  const claim = claims.get(command.claim);
  const isLinked =
    command.who !== null && keys.get(command.who)?.revoked === false && !banned.has(command.who);
  return (
    isLinked &&
    claim?.who === command.who &&
    claim.until === null &&
    claim.date !== null &&
    claim.date >= today
  );
}

/** Stored records that neither the model nor an answer knows. */
function withUnanswered(
  model: Model,
  results: readonly CommandResult[],
  database: MemoryDatabase,
  made: ReturnType<typeof madeSince>,
): Stored {
  const answersTo = (what: Command['do']): unknown[] =>
    results.flatMap(({ command, outcome }) => (command.do === what ? [outcome?.data] : []));
  const holds = storedHolds(database);
  const onOutcome = new Set([
    ...answersTo('submit').flatMap(idsIn),
    ...[...holds.values()].map(({ claim }) => claim),
  ]);
  const inLine = new Set(answersTo('queue').map(idIn));
  const offered = new Set([...answersTo('offer claim'), ...answersTo('offer swap')].map(idIn));
  const weekly = new Set(answersTo('make weekly').map(idIn));
  const madeWith = new Map<number, Made[]>();
  for (const { with: id, made: some } of made.values())
    if (id !== null) madeWith.set(id, [...(madeWith.get(id) ?? []), ...some]);
  const byServer = [...made.values()].flatMap((write) => write.made);
  const isByServer = (what: 'claim' | 'wait', id: number): boolean =>
    byServer.some((one) => one[what] === id);
  const ids = (sql: string): number[] => database.rows(sql).map(({ id }) => Number(id));
  const named = (sql: string): Map<string, number> =>
    new Map(database.rows(sql).map(({ name, id }) => [String(name), Number(id)]));
  return {
    claims: ids('select id from claims order by id').filter(
      (id) => !model.claims.has(id) && !onOutcome.has(id) && !isByServer('claim', id),
    ),
    waits: ids('select id from waits order by id').filter(
      (id) =>
        !model.waits.has(id) && !model.left.has(id) && !inLine.has(id) && !isByServer('wait', id),
    ),
    offers: ids('select id from transfers order by id').filter(
      (id) => !model.offers.has(id) && !model.pastOffers.has(id) && !offered.has(id),
    ),
    weekly: ids('select id from standing_claims where ended_at is null order by id').filter(
      (id) => !model.weekly.has(id) && !weekly.has(id),
    ),
    madeWith,
    events: named('select name, id from events'),
    keys: named('select character_name as name, id from access_keys'),
    holds,
  };
}
