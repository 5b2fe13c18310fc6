import { useState } from 'react';

/** Rows of a list that are chosen, on the screen or not. */
export interface Selection {
  /** Of those there are. */
  ids: ReadonlySet<string>;
  change: (ids: readonly string[], on: boolean) => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * What is selected of a list. What the list's filter hides stays selected; what is gone, by whomever, is selected no longer,
 * and not again when it comes back.
 * @param exists whether there is such a record, shown or not
 */
export function useSelection(exists: (id: string) => boolean): Selection {
  const [ids, setIds] = useState(NONE);
  const left = [...ids].filter(exists);
  if (left.length < ids.size) setIds(new Set(left));
  return {
    ids: left.length < ids.size ? new Set(left) : ids,
    change: (some, on) => setIds((before) => withThem(before, some, on)),
    clear: () => setIds(NONE),
  };
}

function withThem(before: ReadonlySet<string>, some: readonly string[], on: boolean): ReadonlySet<string> {
  if (on) return new Set([...before, ...some]);
  const gone = new Set(some);
  return new Set([...before].filter((id) => !gone.has(id)));
}
