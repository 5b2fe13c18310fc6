import { defineCollector } from '../../db/change-set.ts';

/** `moved`: the write added, moved or removed a deadline, so the next one is looked up after its work. */
export const deadlineChanges = defineCollector(
  () => ({ moved: false }),
  (changes) => {
    const { moved } = changes;
    return () => {
      changes.moved = moved;
    };
  },
);
