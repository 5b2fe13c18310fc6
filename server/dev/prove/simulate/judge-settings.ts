import type { Command } from './command.ts';
import { shutOutBy } from './judge-submission.ts';
import { IDLE, type Judgement, simply } from './judgement.ts';
import type { Model } from './model.ts';

export function judgeSubmissionSwitch(model: Model, on: boolean): Judgement {
  if (model.submission === on) return IDLE;
  return simply(() => {
    model.submission = on;
  });
}

export function judgeRules(
  model: Model,
  { change }: Extract<Command, { do: 'set rules' }>,
): Judgement {
  const rules = { ...model.rules, ...change };
  const { confirm, grace } = model.rules;
  if (JSON.stringify(rules) === JSON.stringify(model.rules)) return IDLE;
  return simply(() => {
    model.rules = rules;
    if (rules.confirm || (confirm === rules.confirm && grace === rules.grace)) return;
    // Existing claims are not judged when it is switched on again.
    for (const [id, claim] of model.claims) {
      model.claims.set(id, {
        ...claim,
        parts: claim.parts.map((part) => ({ ...part, awaited: false })),
      });
    }
  });
}

/** Whether it changes nothing, and so is stored without a write: nothing expires and no offers are made. */
export const isUnseen = (model: Model, command: Command): boolean =>
  command.do === 'be quiet' &&
  ![...model.waits.values()].some(({ who, quiet }) => who === command.who && quiet !== null);

/** A skipped entry is checked again. */
export function judgeQuiet(
  model: Model,
  { who, hours }: Extract<Command, { do: 'be quiet' }>,
): Judgement {
  return (
    shutOutBy(model, who) ??
    simply(() => {
      if (hours) model.quiet.set(who, hours);
      else model.quiet.delete(who);
      for (const [id, wait] of model.waits)
        if (wait.who === who) model.waits.set(id, { ...wait, quiet: null });
    })
  );
}

export function judgeBudget(
  model: Model,
  { type, day, event }: Extract<Command, { do: 'budget' }>,
): Judgement {
  const before = model.budgets.get(type);
  if (before?.day === day && before.event === event) return IDLE;
  return simply(() => model.budgets.set(type, { day, event }));
}
