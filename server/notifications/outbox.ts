import type { DomainEvent, DomainEventType } from '../../shared/schemas/domain-events.ts';
import type { Clock, Tx } from '../db/database.ts';
import { domainEvents } from '../db/domain-events.ts';
import type { ChangeRecorder, WriteHook } from '../db/unit-of-work.ts';
import type { Settings } from '../env.ts';

/** Stores, in the write that reports events, what is to be sent for them. A job sends it later. */
export interface EventListener {
  subscribedTypes: (tx: Tx) => Promise<Iterable<DomainEventType>>;
  /** @param events at least one, in their order; also those that only other listeners subscribe to */
  handle: (
    ctx: Clock & Settings,
    tx: Tx,
    changes: ChangeRecorder,
    events: readonly DomainEvent[],
  ) => Promise<void>;
}

export interface Outbox {
  store: EventListener['handle'];
  /** Notes the subscribed types in the clock row, which every write reads: other events are not even collected. */
  updateSubscribedTypes: (tx: Tx) => Promise<void>;
}

/** Stores the domain events of each write as its last step, or earlier if there are many. */
export const storeDomainEvents = (ctx: Clock & Settings & { outbox: Outbox }): WriteHook => ({
  before: async ({ tx, changes }) => {
    changes.collect(domainEvents).storeWith((events) => ctx.outbox.store(ctx, tx, changes, events));
  },
  after: ({ changes }) => changes.collect(domainEvents).flush(),
});

export const createOutbox = (listeners: readonly EventListener[]): Outbox => ({
  store: async (...reported) => {
    for (const { handle } of listeners) await handle(...reported);
  },
  updateSubscribedTypes: async (tx) => {
    const types = new Set<DomainEventType>();
    for (const { subscribedTypes } of listeners)
      for (const type of await subscribedTypes(tx)) types.add(type);
    await tx
      .updateTable('clock')
      .set({ subscribed_types: types.size === 0 ? null : [...types].sort().join(' ') })
      .execute();
  },
});
