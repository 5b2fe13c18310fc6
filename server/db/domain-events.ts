import type { DomainEvent, DomainEventType } from '../../shared/schemas/domain-events.ts';
import type { Tx } from './database.ts';
import { defineCollector, type WriteHook, type Writing } from './unit-of-work.ts';

/** Store events once this many are in memory: a bulk write may report many thousands. */
const FLUSH_AT = 500;

type WithoutTime<E> = E extends DomainEvent ? Omit<E, 'timestamp'> : never;

/** The domain events of one write. Only those that have a subscriber are kept. */
export class DomainEvents {
  readonly #subscribed: ReadonlySet<string>;
  readonly #timestamp: string;
  #store: (events: readonly DomainEvent[]) => Promise<void> = async () => {};
  #events: DomainEvent[] = [];

  /** @param subscribed the subscribed types as the clock row has them, separated by spaces */
  constructor(subscribed: string | null, timestamp: string) {
    this.#subscribed = new Set(subscribed?.split(' '));
    this.#timestamp = timestamp;
  }

  /** @param store called within the write's transaction */
  storeWith(store: (events: readonly DomainEvent[]) => Promise<void>): void {
    this.#store = store;
  }

  /** Ask before loading what only the event needs. */
  hasSubscriber(type: DomainEventType): boolean {
    return this.#subscribed.has(type);
  }

  report(event: WithoutTime<DomainEvent>): void {
    if (this.hasSubscriber(event.type)) this.#events.push({ ...event, timestamp: this.#timestamp });
  }

  async flush(minimum = 1): Promise<void> {
    if (this.#events.length < minimum) return;
    const events = this.#events;
    this.#events = [];
    await this.#store(events);
  }

  /** Call after the reports of a bulk write, so that not all events are in memory at once. */
  flushIfMany(): Promise<void> {
    return this.flush(FLUSH_AT);
  }

  /** @returns a function for after a rollback to a savepoint: restores the events of now, as nothing stored since remains */
  mark(): () => void {
    const events = [...this.#events];
    return () => {
      this.#events = events;
    };
  }
}

export const domainEvents = defineCollector(
  ({ at, clock }) => new DomainEvents(clock.subscribed_types, at.toISOString()),
  (events) => events.mark(),
);

/** Stores the domain events of each write as its last step, or earlier if there are many. */
export const storeDomainEvents: WriteHook = {
  before: async (unit) => {
    unit.changes.collect(domainEvents).storeWith(async (events) => {
      for (const listener of unit.ctx.listeners) await listener.handle(unit, events);
    });
  },
  after: ({ changes }) => changes.collect(domainEvents).flush(),
};

/**
 * Takes the write lock. Every write reads the subscribed types from the clock row, so a change of subscriptions begins with this
 * and ends with `updateSubscribedTypes`; otherwise a write at the same moment could miss it.
 */
export async function lockClock(tx: Tx): Promise<void> {
  await tx
    .updateTable('clock')
    .set(({ ref }) => ({ subscribed_types: ref('subscribed_types') }))
    .execute();
}

/** At a start: this version may subscribe to other types than the one that stored them. */
export const refreshSubscribedTypes = (ctx: Writing): Promise<void> =>
  ctx.writes.transaction(async (tx) => {
    await lockClock(tx);
    await updateSubscribedTypes(ctx, tx);
  });

/** Notes the subscribed types in the clock row: other events are not collected. A write that changes subscriptions calls it last. */
export async function updateSubscribedTypes(ctx: Writing, tx: Tx): Promise<void> {
  const types = new Set<DomainEventType>();
  for (const listener of ctx.listeners)
    for (const type of await listener.subscribedTypes(ctx, tx)) types.add(type);
  await tx
    .updateTable('clock')
    .set({ subscribed_types: types.size === 0 ? null : [...types].sort().join(' ') })
    .execute();
}
