import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import type { WriteHook } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { domainEvents, type Told } from './told.ts';

/** One sort of those who hear news: they note, in the very write that makes it, what is to be sent; somebody sends it later. */
export interface NewsListener {
  /** What any of them hears by now. */
  heard: (tx: Tx) => Promise<Iterable<Told['type']>>;
  /** @param news at least one, in its order; also such as only others hear */
  hear: (ctx: Writing, tx: Tx, changes: ChangeRecorder, news: readonly Told[]) => Promise<void>;
}

/** Where a write leaves the domain events that listeners send later. */
export interface Outbox {
  store: (ctx: Writing, tx: Tx, changes: ChangeRecorder, news: readonly Told[]) => Promise<void>;
  noteHeard: (tx: Tx) => Promise<void>;
}

/** Stores the domain events of each write as its last step, or earlier where there are many. */
export const storeDomainEvents = (ctx: Writing & { outbox: Outbox }): WriteHook => ({
  before: async ({ tx, changes }) => {
    changes.collect(domainEvents).storeWith((news) => ctx.outbox.store(ctx, tx, changes, news));
  },
  after: ({ changes }) => changes.collect(domainEvents).store(),
});

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
