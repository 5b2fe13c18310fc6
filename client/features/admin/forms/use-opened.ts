import { useState } from 'react';
import type { RecordId } from '../../../../shared/live.ts';

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
