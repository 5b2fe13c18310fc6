import type { Deed, Moment, Outcome } from './deed.ts';
import { idIn, judge } from './judge.ts';
import { idsIn } from './judge-submission.ts';
import type { Stored } from './judgement.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { copyOf, type Model } from './model.ts';
import { difference } from './stored.ts';

/** A deed and what was heard of it; null: its answer was lost. */
export interface Told {
  deed: Deed;
  outcome: Outcome | null;
}

/**
 * Finds an order of what was asked for at the same time that explains all answers and all that is stored; what was
 * cut off may have happened or not.
 * @returns the model after it; or, where there is none, what is wrong in the order of asking
 */
export function explain(before: Model, told: readonly Told[], moment: Moment, database: MemoryDatabase): Model | string {
  let complaint: string | null = null;
  for (const order of orders(told)) {
    const model = copyOf(before);
    const wrong = replay(model, order, moment, unheard(before, told, database)) ?? difference(model, database);
    if (wrong === null) return model;
    complaint ??= wrong;
  }
  return complaint ?? 'nothing was told';
}

/** Every order, each with every choice of which of those whose answer was lost did not happen. */
function* orders(told: readonly Told[]): Generator<readonly Told[]> {
  if (told.length === 0) yield [];
  for (const [at, first] of told.entries()) {
    for (const rest of orders(told.filter((_, other) => other !== at))) {
      yield [first, ...rest];
      if (first.outcome === null) yield rest;
    }
  }
}

function replay(model: Model, order: readonly Told[], moment: Moment, stored: Stored): string | null {
  for (const { deed, outcome } of order) {
    const { reasons, apply } = judge(model, deed, moment);
    if (outcome === null) {
      if (reasons.size > 0) return `it was done although ${[...reasons].join(', ')}: ${JSON.stringify(deed)}`;
    } else if (outcome.status >= 300) {
      if (outcome.status < 500 && reasons.has(outcome.code)) continue;
      const expected = reasons.size > 0 ? [...reasons].join(' or ') : 'success';
      return `answered ${outcome.status} ${outcome.code} ${JSON.stringify(outcome.params)} instead of ${expected}: ${JSON.stringify(deed)}`;
    } else if (reasons.size > 0) {
      return `answered ${outcome.status} although ${[...reasons].join(', ')}: ${JSON.stringify(deed)}`;
    }
    const wrong = apply(outcome, stored);
    if (wrong !== null) return `${wrong}: ${JSON.stringify(deed)}`;
  }
  return null;
}

/** What is stored that neither the model nor an answer told of. */
function unheard(model: Model, told: readonly Told[], database: MemoryDatabase): Stored {
  const heard = new Set(told.flatMap(({ outcome }) => [...idsIn(outcome?.data), idIn(outcome?.data) ?? 0]));
  const ids = database.rows('select id from claims order by id').map(({ id }) => Number(id));
  const named = (sql: string): Map<string, number> => new Map(database.rows(sql).map(({ name, id }) => [String(name), Number(id)]));
  return {
    claims: ids.filter((id) => !model.claims.has(id) && !heard.has(id)),
    events: named('select name, id from events'),
    keys: named('select character_name as name, id from access_keys'),
  };
}
