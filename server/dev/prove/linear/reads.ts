import type { Seen, SeenInLine } from './history.ts';
import { holdOf, type InLine, type State, withId } from './state.ts';

/** A read must return exactly the model's state; unknown ids are learned from it. */
export function afterRead(
  state: State,
  spots: readonly number[],
  claims: readonly Seen[],
): State | null {
  const there = state.claims.filter((held) => spots.includes(held.spot));
  if (there.length !== claims.length) return null;
  let next = state.claims;
  for (const seen of claims) {
    const held = there.find(
      (one) =>
        (one.id === seen.id || one.id === null) &&
        one.spot === seen.spot &&
        one.character === seen.character &&
        one.hour_start === seen.hour_start &&
        one.hour_end === seen.hour_end &&
        one.held === seen.held,
    );
    if (!held) return null;
    if (held.id === null) next = [...next.filter((one) => one !== held), { ...held, id: seen.id }];
  }
  return { ...state, claims: next };
}

/** A reader of waitlists sees exactly their entries, each with its position and hold. */
export function afterLine(
  state: State,
  spots: readonly number[],
  seen: readonly SeenInLine[],
): State | null {
  const there = state.waits.filter((wait) => spots.includes(wait.spot));
  if (there.length !== seen.length) return null;
  let next: State | null = state;
  for (const [at, one] of seen.entries()) {
    const wait: InLine | undefined = there[at];
    if (
      !next ||
      !wait ||
      wait.spot !== one.spot ||
      wait.character !== one.character ||
      (wait.id !== null && wait.id !== one.id)
    )
      return null;
    const before = there.slice(0, at).filter(({ spot }) => spot === wait.spot);
    if (one.position !== before.length + 1 || wait.offered !== (one.hold !== null)) return null;
    const waits: readonly InLine[] = next.waits.map((other) =>
      other === wait ? { ...wait, id: one.id } : other,
    );
    const claim = holdOf(next, wait);
    next =
      claim && one.hold !== null ? withId({ ...next, waits }, claim, one.hold) : { ...next, waits };
  }
  return next;
}
