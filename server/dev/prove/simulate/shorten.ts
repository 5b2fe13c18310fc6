import type { Script, ScriptedCommand, Step } from './script.ts';

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
  // Steps after the failed one do not matter.
  let shortest = { script: { ...script, steps: script.steps.slice(0, failure.at) }, failure };
  const failsToo = async (steps: readonly Step[]): Promise<boolean> => {
    if (performance.now() > until) return false;
    const found = await fails({ ...script, steps });
    if (found)
      shortest = { script: { ...script, steps: steps.slice(0, found.at) }, failure: found };
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
    for (const less of step ? simplerStep(step) : [])
      if (await failsToo(steps.with(at, less))) return true;
    return false;
  }
}

function* simplerStep(step: Step): Generator<Step> {
  switch (step.step) {
    case 'ask':
    case 'ask and lose':
      for (const scripted of simplerCommands(step.scripted)) yield { ...step, scripted };
      if (step.step === 'ask and lose') yield { step: 'ask', scripted: step.scripted };
      return;
    case 'ask at once':
      for (const { scripted } of step.commands) yield { step: 'ask', scripted };
      if (step.commands.length > 2)
        for (const at of step.commands.keys())
          yield { ...step, commands: step.commands.toSpliced(at, 1) };
      if (step.watcher !== null) yield { ...step, watcher: null };
      for (const [at, { scripted, after }] of step.commands.entries()) {
        for (const less of simplerCommands(scripted))
          yield { ...step, commands: step.commands.with(at, { scripted: less, after }) };
        if (after > 0) yield { ...step, commands: step.commands.with(at, { scripted, after: 0 }) };
      }
      return;
    case 'crash':
      yield { step: 'restart' };
      for (const at of step.commands.keys())
        yield { ...step, commands: step.commands.toSpliced(at, 1) };
      return;
    default:
      return;
  }
}

function* simplerCommands(scripted: ScriptedCommand): Generator<ScriptedCommand> {
  if (scripted.do !== 'submit') return;
  if (scripted.once) yield { ...scripted, once: false };
  if (scripted.claims.length > 1)
    for (const at of scripted.claims.keys())
      yield { ...scripted, claims: scripted.claims.toSpliced(at, 1) };
  for (const [at, claim] of scripted.claims.entries()) {
    if (claim.second)
      yield { ...scripted, claims: scripted.claims.with(at, { ...claim, second: null }) };
    if (claim.waiting)
      yield { ...scripted, claims: scripted.claims.with(at, { ...claim, waiting: null }) };
  }
}
