import { useEffect, useState } from 'react';

/** What a form edits, whatever holds its values: react-hook-form, or a state of its own. */
export interface FormUnderEdit<R, V extends object> {
  /** What the form was opened with; null for a new record, or while nothing is edited. */
  opened: R | null;
  /** The record as it is now, live; undefined when it is gone. */
  live: R | undefined;
  valuesOf: (record: R) => V;
  /** The fields in which two versions differ; none where they mean the same. */
  differing: (before: V, after: V) => readonly (keyof V)[];
  /** What the form holds now. */
  typed: V;
  /** Puts values into the form, as if it had been opened with them. */
  fill: (values: V) => void;
  saving: boolean;
}

export interface UnderEdit<R, V extends object> {
  /** What the form started from, or was last reconciled with: what is sent is what differs from it. */
  stored: R | null;
  /** The values that another admin saved meanwhile, until the admin here has chosen. */
  theirs: V | null;
  /** The fields that they changed. */
  changed: readonly (keyof V)[];
  /** What came of their change, to be said. */
  outcome: 'followed' | 'kept' | 'deleted' | null;
  loadTheirs: () => void;
  /** Keeps what was typed; fields that were left alone become theirs. */
  keepMine: () => void;
  /** The form itself saved a part of what was typed, and stays open with the rest. */
  savedPart: (record: R) => void;
}

interface Known<R> {
  opened: R | null;
  stored: R | null;
  /** The live record that `stored` was last compared with. */
  seen: R | null | undefined;
  outcome: 'followed' | 'kept' | null;
}

/**
 * The stored record behind an open form, and what others do to it meanwhile. Nothing of theirs is overwritten before
 * the admin has chosen; where nothing was typed that could be lost, the form follows by itself.
 */
export function useUnderEdit<R, V extends object>(form: FormUnderEdit<R, V>): UnderEdit<R, V> {
  const { opened, live, valuesOf, differing, typed, fill, saving } = form;
  const [known, setKnown] = useState<Known<R>>(() => begin(opened));
  const { stored, seen, outcome } = known.opened === opened ? known : begin(opened);
  const reconcile = (record: R, came: Known<R>['outcome']): void => setKnown({ opened, stored: record, seen: live, outcome: came });

  const changed = stored && live && live !== seen ? differing(valuesOf(stored), valuesOf(live)) : [];
  // While a save is under way the change that arrives is most likely the one being saved.
  const pending = stored && live && changed.length > 0 && !saving ? { before: valuesOf(stored), after: valuesOf(live), live } : null;
  const mine = pending ? differing(pending.before, typed) : [];
  const same = pending !== null && differing(typed, pending.after).length === 0;
  const follows = pending !== null && (mine.length === 0 || same);

  useEffect(() => {
    if (!follows || !pending) return;
    fill(pending.after);
    reconcile(pending.live, same ? null : 'followed');
  });

  const asks = follows ? null : pending;
  return {
    stored,
    theirs: asks?.after ?? null,
    changed,
    outcome: stored && !live ? 'deleted' : outcome,
    loadTheirs: () => {
      if (!asks) return;
      fill(asks.after);
      reconcile(asks.live, null);
    },
    keepMine: () => {
      if (!asks) return;
      fill({ ...asks.after, ...only(typed, mine) });
      reconcile(asks.live, 'kept');
    },
    savedPart: (record) => reconcile(record, null),
  };
}

const begin = <R>(opened: R | null): Known<R> => ({ opened, stored: opened, seen: opened, outcome: null });

function only<V extends object>(values: V, fields: readonly (keyof V)[]): Partial<V> {
  const kept: Partial<V> = {};
  for (const field of fields) kept[field] = values[field];
  return kept;
}
