import { useEffect, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { differing, type FieldName, type FormFields, pick, valuesOf } from './fields.ts';

interface EditedForm<R, V extends FieldValues> {
  fields: FormFields<R, V>;
  /** The record that the form was opened with; null for a new record, or while nothing is edited. */
  opened: R | null;
  /** The record as it is now; undefined if it was deleted. */
  live: R | undefined;
  typed: V;
  /** Replaces the form's values, as if it had been opened with them. */
  fill: (values: V) => void;
  saving: boolean;
  /** Fields that are not typed follow the live record without a question. */
  follows?: boolean | undefined;
}

export interface EditConflict<R, V extends FieldValues> {
  /** The record that the form started from, or was last reconciled with: a save sends what differs from it. */
  stored: R | null;
  /** The values that another admin saved meanwhile, until a version is chosen. */
  theirs: V | null;
  changed: readonly FieldName<V>[];
  /** The fields that both changed, where the others follow: a save sends them, also if they have their former values again. */
  contested: readonly FieldName<V>[];
  /** How their change ended: the form took it over, the admin kept their own values, or the record is gone. */
  outcome: 'refreshed' | 'kept' | 'deleted' | null;
  loadTheirs: () => void;
  /** Keeps the typed fields; the others become theirs. */
  keepMine: () => void;
  /** The form saved some of its fields and stays open with the rest. */
  savedPart: (record: R) => void;
}

interface Known<R, V extends FieldValues> {
  opened: R | null;
  stored: R | null;
  /** The live record that `stored` was last compared with. */
  seen: R | null | undefined;
  outcome: 'refreshed' | 'kept' | null;
  contested: readonly FieldName<V>[];
}

/**
 * Detects that another admin changed or deleted the record behind an open form. If nothing typed could be lost, the form takes over
 * their version; otherwise the admin chooses before anything is overwritten.
 */
export function useEditConflict<R, V extends FieldValues>(
  form: EditedForm<R, V>,
): EditConflict<R, V> {
  const { fields, opened, live, typed, fill, saving } = form;
  const [known, setKnown] = useState<Known<R, V>>(() => begin(opened));
  const { stored, seen, outcome, contested } = known.opened === opened ? known : begin(opened);
  const reconcile = (record: R, came: Known<R, V>['outcome']): void =>
    setKnown({ opened, stored: record, seen: live, outcome: came, contested: [] });

  const changed =
    stored && live && live !== seen
      ? differing(fields, valuesOf(fields, stored), valuesOf(fields, live))
      : [];
  // A change that arrives during a save is most likely that save.
  const pending =
    stored && live && changed.length > 0 && !saving
      ? { before: valuesOf(fields, stored), after: valuesOf(fields, live), live }
      : null;
  // Typing the former value again must not replace what is being typed.
  const mine = pending ? [...differing(fields, pending.before, typed), ...contested] : [];
  const clashing = pending ? changed.filter((field) => mine.includes(field)) : [];
  const same = pending !== null && differing(fields, typed, pending.after).length === 0;
  const isRefreshed =
    pending !== null && (mine.length === 0 || same || (form.follows && clashing.length === 0));
  const kept = form.follows && !isRefreshed ? clashing : [];

  useEffect(() => {
    if (isRefreshed && pending) {
      fill({ ...pending.after, ...pick(typed, mine) });
      reconcile(pending.live, same ? null : 'refreshed');
    } else if (!saving && kept.length !== contested.length)
      setKnown({ opened, stored, seen, outcome, contested: kept });
  });

  const open = isRefreshed ? null : pending;
  return {
    stored,
    theirs: open?.after ?? null,
    changed,
    contested: kept,
    outcome: stored && !live ? 'deleted' : outcome,
    loadTheirs: () => {
      if (!open) return;
      fill(open.after);
      reconcile(open.live, null);
    },
    keepMine: () => {
      if (!open) return;
      fill({ ...open.after, ...pick(typed, mine) });
      reconcile(open.live, 'kept');
    },
    savedPart: (record) => reconcile(record, null),
  };
}

const begin = <R, V extends FieldValues>(opened: R | null): Known<R, V> => ({
  opened,
  stored: opened,
  seen: opened,
  outcome: null,
  contested: [],
});
