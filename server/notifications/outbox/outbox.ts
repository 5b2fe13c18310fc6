import type { Tx } from '../../db/open.ts';
import type { Outbox, Writing } from '../../db/write.ts';
import type { ChangeRecorder } from '../../live/change-log.ts';
import type { Told } from './told.ts';

/** One sort of those who hear news: they note, in the very write that makes it, what is to be sent; somebody sends it later. */
export interface NewsListener {
  /** What any of them hears by now. */
  heard: (tx: Tx) => Promise<Iterable<Told['type']>>;
  /** @param news at least one, in its order; also such as only others hear */
  hear: (ctx: Writing, tx: Tx, changes: ChangeRecorder, news: readonly Told[]) => Promise<void>;
}

export const createOutbox = (listeners: readonly NewsListener[]): Outbox => ({
  store: async (...told) => {
    for (const { hear } of listeners) await hear(...told);
  },
  noteHeard: async (tx) => {
    const all = new Set<Told['type']>();
    for (const { heard } of listeners) for (const type of await heard(tx)) all.add(type);
    await tx
      .updateTable('clock')
      .set({ heard: all.size === 0 ? null : [...all].sort().join(' ') })
      .execute();
  },
});
