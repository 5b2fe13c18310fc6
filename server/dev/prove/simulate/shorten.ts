import type { Script, Step, Wish } from './script.ts';

/** The step that failed, counted from 1, and why; null: nothing failed. */
export type Failure = { at: number; why: string } | null;

/**
 * Removes from a failing script all that is not needed to fail: steps, many at once and then one by one, then parts of steps.
 * @param fails runs a script
 * @param patience_ms after which the shortest script so far is good enough
 */
export async function shorten(
  script: Script,
  failure: NonNullable<Failure>,
  fails: (script: Script) => Promise<Failure>,
  patience_ms: number,
): Promise<{ script: Script; failure: NonNullable<Failure> }> {
  const until = performance.now() + patience_ms;
  // What came after the step that failed does not matter.
  let shortest = { script: { ...script, steps: script.steps.slice(0, failure.at) }, failure };
  const failsToo = async (steps: readonly Step[]): Promise<boolean> => {
    if (performance.now() > until) return false;
    const found = await fails({ ...script, steps });
    if (found) shortest = { script: { ...script, steps: steps.slice(0, found.at) }, failure: found };
    return found !== null;
  };
  const leaveOut = async (size: number): Promise<void> => {
    for (let from = shortest.script.steps.length - size; from >= 0; from -= size) {
      from = Math.min(from, shortest.script.steps.length - size);
      if (from >= 0) await failsToo(shortest.script.steps.toSpliced(from, size));
    }
  };
  // Mostly the last few are enough.
  const { steps } = shortest.script;
  for (let last = 1; last < steps.length && !(await failsToo(steps.slice(-last))); ) last *= 2;
  for (let size = shortest.script.steps.length >> 1; size > 1; size >>= 1) await leaveOut(size);
  await leaveOut(1);
  for (let at = shortest.script.steps.length - 1; at >= 0; at -= 1) {
    for (let less = await simplest(at); less; ) less = await simplest(at);
  }
  await leaveOut(1);
  return shortest;

  /** @returns whether a step could be made simpler */
  async function simplest(at: number): Promise<boolean> {
    const { steps } = shortest.script;
    const step = steps[at];
    for (const less of step ? simplerStep(step) : []) if (await failsToo(steps.with(at, less))) return true;
    return false;
  }
}

function* simplerStep(step: Step): Generator<Step> {
  switch (step.step) {
    case 'ask':
    case 'ask and lose':
      for (const wish of simplerWish(step.wish)) yield { ...step, wish };
      if (step.step === 'ask and lose') yield { step: 'ask', wish: step.wish };
      return;
    case 'ask at once':
      for (const { wish } of step.wishes) yield { step: 'ask', wish };
      if (step.wishes.length > 2) for (const at of step.wishes.keys()) yield { ...step, wishes: step.wishes.toSpliced(at, 1) };
      if (step.watcher !== null) yield { ...step, watcher: null };
      for (const [at, { wish, after }] of step.wishes.entries()) {
        for (const less of simplerWish(wish)) yield { ...step, wishes: step.wishes.with(at, { wish: less, after }) };
        if (after > 0) yield { ...step, wishes: step.wishes.with(at, { wish, after: 0 }) };
      }
      return;
    case 'crash':
      yield { step: 'restart' };
      for (const at of step.wishes.keys()) yield { ...step, wishes: step.wishes.toSpliced(at, 1) };
      return;
    default:
      return;
  }
}

function* simplerWish(wish: Wish): Generator<Wish> {
  if (wish.do !== 'submit') return;
  if (wish.once) yield { ...wish, once: false };
  if (wish.claims.length > 1) for (const at of wish.claims.keys()) yield { ...wish, claims: wish.claims.toSpliced(at, 1) };
  for (const [at, claim] of wish.claims.entries()) {
    if (claim.second) yield { ...wish, claims: wish.claims.with(at, { ...claim, second: null }) };
    if (claim.waiting) yield { ...wish, claims: wish.claims.with(at, { ...claim, waiting: null }) };
  }
}
