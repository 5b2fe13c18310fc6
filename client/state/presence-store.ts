import { useMemo } from 'react';
import { create } from 'zustand';
import type { Chooser, PresenceChange } from '../../shared/live.ts';
import type { HourRange } from '../../shared/rules/hours.ts';

/** Hours of one spot that another member is choosing. Advisory: they reserve nothing. */
export interface Choosing extends HourRange {
  /** Whose choice it is: each person has one, on one spot or several. */
  id: string;
  /** The character's name; null: an admin. */
  name: string | null;
  /** null: every date of a single_claim event. */
  date: string | null;
}

export interface PresenceState {
  /** How many people watch the board, the viewer among them; null while that is not known. */
  watching: number | null;
  /** All members who are choosing, except the viewer. */
  choosers: ReadonlyMap<string, Chooser>;
  /** By respawn. The list of a respawn that a change does not touch stays the same list. */
  choosingByRespawn: ReadonlyMap<number, readonly Choosing[]>;
}

const noPresence = (): PresenceState => ({
  watching: null,
  choosers: new Map(),
  choosingByRespawn: new Map(),
});

export const usePresence = create<PresenceState>(noPresence);

export function applyPresence(change: PresenceChange): void {
  usePresence.setState((before) => {
    if (change.op !== 'several') return afterChange(before, change);
    let state = before;
    for (const news of change.news) state = { ...state, ...afterChange(state, news) };
    return state;
  });
}

/** Presence is unknown without a connection. */
export function clearPresence(): void {
  usePresence.setState(noPresence());
}

type OneChange = Exclude<PresenceChange, { op: 'several' }>;

function afterChange(
  { choosers, choosingByRespawn }: PresenceState,
  change: OneChange,
): Partial<PresenceState> {
  if (change.op === 'watching') return { watching: change.watching };
  if (change.op === 'state') {
    const all = new Map(change.choosers.map((chooser) => [chooser.id, chooser]));
    return {
      watching: change.watching,
      choosers: all,
      choosingByRespawn: updated(new Map(), all, change.choosers),
    };
  }
  const id = change.op === 'put' ? change.chooser.id : change.id;
  const all = new Map(choosers);
  const touched = [...choosers.values()].filter((chooser) => chooser.id === id);
  all.delete(id);
  if (change.op === 'put') {
    all.set(id, change.chooser);
    touched.push(change.chooser);
  }
  return { choosers: all, choosingByRespawn: updated(choosingByRespawn, all, touched) };
}

/** Updates the index after changes of some choosers. Only the lists of their respawns are rebuilt. */
function updated(
  before: PresenceState['choosingByRespawn'],
  choosers: PresenceState['choosers'],
  touched: readonly Chooser[],
): PresenceState['choosingByRespawn'] {
  const index = new Map(before);
  for (const respawn_id of new Set(
    touched.flatMap(({ choices }) => choices.map((choice) => choice.respawn_id)),
  )) {
    const list = [...choosers.values()].flatMap((chooser) => choosingOf(chooser, respawn_id));
    if (list.length > 0) index.set(respawn_id, list);
    else index.delete(respawn_id);
  }
  return index;
}

function choosingOf({ id, name, choices }: Chooser, respawn_id: number): Choosing[] {
  return choices
    .filter((choice) => choice.respawn_id === respawn_id)
    .map(({ date, hour_start, hour_end }) => ({ id, name, date, hour_start, hour_end }));
}

const NONE_CHOOSING: readonly Choosing[] = [];

/** Who else is choosing hours of a spot on a server-save date; the same list until that changes. */
export function useChoosing(respawn_id: number | null, date: string): readonly Choosing[] {
  const all =
    usePresence((presence) =>
      respawn_id === null ? undefined : presence.choosingByRespawn.get(respawn_id),
    ) ?? NONE_CHOOSING;
  return useMemo(() => {
    const onDate = all.filter((choice) => choice.date === null || choice.date === date);
    return onDate.length > 0 ? onDate : NONE_CHOOSING;
  }, [all, date]);
}
