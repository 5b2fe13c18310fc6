import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { RecordId } from '../../../../shared/record-table.ts';

interface Records<R> {
  get: (id: RecordId) => R | undefined;
  values: () => Iterable<R>;
}

export interface Opened<R> {
  /** All records; one that goes while it is edited stays, with what was typed. */
  shown: R[];
  /** The record as it was when its edit began; null while it is not edited. */
  openedOf: (record: R) => R | null;
  setOpen: (record: R, open: boolean) => void;
}

/** Which records of a list are edited in place. */
export function useOpened<R>(records: Records<R>, idOf: (record: R) => RecordId): Opened<R> {
  const [opened, setOpened] = useState<ReadonlyMap<RecordId, R>>(new Map());
  const gone = [...opened.values()].filter((record) => !records.get(idOf(record)));
  return {
    shown: [...records.values(), ...gone],
    openedOf: (record) => opened.get(idOf(record)) ?? null,
    setOpen: (record, open) => {
      const next = new Map(opened);
      if (open) next.set(idOf(record), record);
      else next.delete(idOf(record));
      setOpened(next);
    },
  };
}

/**
 * Enter in a field of a row saves, Escape anywhere in it cancels. An open list of choices keeps both, and Enter on a
 * button or a file presses it.
 */
export function saveOrCancel(event: KeyboardEvent, { save, cancel }: { save: () => void; cancel: () => void }): void {
  const { target } = event;
  if (!(target instanceof Element) || isOpenList(target)) return;
  if (event.key === 'Escape') cancel();
  else if (event.key === 'Enter' && target.matches('select, input:not([type="file"])')) save();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

const isOpenList = (target: Element): boolean => CSS.supports('selector(:open)') && target.matches('select:open');

/**
 * Into the first field when an edit in place begins, back to the button that began it when it ends.
 * @param box holds the fields, and after it the button, which carries `data-edit` with the id
 * @param editing the id of what is edited, or null
 */
export function useEditFocus(box: RefObject<HTMLElement | null>, editing: number | string | null): void {
  const last = useRef<number | string | null>(null);
  useEffect(() => {
    if (editing !== null) box.current?.querySelector<HTMLElement>('[data-edit-fields] :is(input:not([type=color]), select)')?.focus();
    else if (last.current !== null) box.current?.querySelector<HTMLElement>(`[data-edit="${CSS.escape(String(last.current))}"]`)?.focus();
    last.current = editing;
  }, [box, editing]);
}
