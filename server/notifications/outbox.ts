import type { DomainEvent, DomainEventType } from '../../shared/schemas/domain-events.ts';
import type { Tx } from '../db/database.ts';
import { domainEvents } from '../db/domain-events.ts';
import type { Unit, WriteHook } from '../db/unit-of-work.ts';

/** Stores, in the write that reports events, what is to be sent for them. A job sends it later. */
export interface EventListener {
  subscribedTypes: (tx: Tx) => Promise<Iterable<DomainEventType>>;
  /** @param events at least one, in their order; also those that only other listeners subscribe to */
  handle: (unit: Unit, events: readonly DomainEvent[]) => Promise<void>;
}

export interface Outbox {
  store: EventListener['handle'];
  /** Notes the subscribed types in the clock row, which every write reads: other events are not even collected. */
  updateSubscribedTypes: (tx: Tx) => Promise<void>;
}

/** Stores the domain events of each write as its last step, or earlier if there are many. */
export const storeDomainEvents = ({ store }: Outbox): WriteHook => ({
  before: async (unit) => {
    unit.changes.collect(domainEvents).storeWith((events) => store(unit, events));
  },
  after: ({ changes }) => changes.collect(domainEvents).flush(),
});

export const createOutbox = (listeners: readonly EventListener[]): Outbox => ({
  store: async (unit, events) => {
    for (const { handle } of listeners) await handle(unit, events);
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
