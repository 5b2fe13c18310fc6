import { useEffect, useState } from 'react';
import { type UseFormReturn, useFormState } from 'react-hook-form';
import type { Event } from '../../../../shared/schemas/event.ts';
import { useBoard } from '../../../store/board-store.ts';
import { differingFields, type EventValues, valuesOf } from './event-values.ts';

export interface EventUnderEdit {
  /** What the form started from, or was last reconciled with; null for a new event. */
  stored: Event | null;
  /** What another admin made of it meanwhile, until the admin here has chosen. */
  theirs: Event | null;
  /** What came of their change, to be said. */
  outcome: 'followed' | 'kept' | 'deleted' | null;
  loadTheirs: () => void;
  /** Keeps what was typed; fields that were left alone become theirs. */
  keepMine: () => void;
}

/** The stored event behind an open form, and what others do to it meanwhile. */
export function useEventUnderEdit(opened: Event | null, form: UseFormReturn<EventValues>): EventUnderEdit {
  const live = useBoard((board) => (opened ? board.byKind.event.get(opened.id) : undefined));
  const [stored, setStored] = useState(opened);
  const [outcome, setOutcome] = useState<'followed' | 'kept' | null>(null);
  // `dirtyFields` has to be read, or react-hook-form does not keep track of what `keepDirtyValues` keeps.
  const { isDirty, dirtyFields, isSubmitting } = useFormState({ control: form.control });
  const touched = isDirty || Object.keys(dirtyFields).length > 0;
  const { reset, getValues } = form;

  const differs = stored && live && stored !== live && differingFields(valuesOf(stored), valuesOf(live)).length > 0;
  // While a save is under way the change that arrives is most likely the one being saved.
  const theirs = differs && !isSubmitting ? live : null;

  useEffect(() => {
    if (!theirs) return;
    const same = differingFields(getValues(), valuesOf(theirs)).length === 0;
    if (touched && !same) return;
    // Nothing was typed that could be lost: the form follows.
    reset(valuesOf(theirs));
    setStored(theirs);
    setOutcome(same ? null : 'followed');
  }, [theirs, touched, reset, getValues]);

  return {
    stored,
    theirs: theirs && touched ? theirs : null,
    outcome: stored && !live ? 'deleted' : outcome,
    loadTheirs: () => {
      if (!theirs) return;
      reset(valuesOf(theirs));
      setStored(theirs);
      setOutcome(null);
    },
    keepMine: () => {
      if (!theirs) return;
      reset(valuesOf(theirs), { keepDirtyValues: true });
      setStored(theirs);
      setOutcome('kept');
    },
  };
}
