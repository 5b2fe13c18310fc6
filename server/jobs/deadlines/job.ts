import { z } from 'zod';
import type { InsideKind } from '../kind.ts';
import { deadlineChanges } from './deadline-changes.ts';

/** Every write ends what is over; where nobody writes, this one does, at the moment the next thing is. */
export const endsByItself: InsideKind<null> = {
  kind: 'due.ends',
  runs: 'inside',
  payload: z.null(),
  run: async (_ctx, _tx, changes) => {
    // It is stored anew for whatever is next.
    changes.collect(deadlineChanges).moved = true;
    return undefined;
  },
};
