import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { CHOOSING_MS, type Chooser, type ChosenHours, type PresenceChange, type PresenceNews } from '../../shared/live.ts';
import type { PresenceMessage, PresenceRelay } from './presence-relay.ts';

/** Watchers are told how many they are at most this often, so that a page that is loaded anew is no news either. */
export const COUNT_EVERY_MS = 1_000;
/** How often servers tell each other that they still run, and after how long a silence one counts as gone. */
export const HEARTBEAT_MS = 10_000;
export const SILENT_AFTER_MS = 3 * HEARTBEAT_MS;

/** Somebody who watches; a visitor of a public board is one for each connection. */
export interface Person {
  /** Also the name of the room that their connections are in. */
  id: string;
  /** The character's; null: an admin, or a visitor. */
  name: string | null;
}

/** Who watches and who is choosing. All of it is in memory, one entry a person, and lapses by itself. */
export interface Presence {
  arrive: (person_id: string) => void;
  leave: (person_id: string) => void;
  /** The last of a person's connections to choose is the one that counts. */
  choose: (owner: string, person: Person, choices: readonly ChosenHours[]) => void;
  /** Takes a connection's choice back, if it is still the one that counts. */
  withdraw: (owner: string, person_id: string) => void;
  /** Everything, for one person: their own choice is no news to them. */
  stateFor: (person_id: string) => PresenceChange;
  /** How many are choosing. */
  choosing: () => number;
  stop: () => void;
}

export interface PresenceOptions {
  relay: PresenceRelay;
  now: () => Date;
  /** Tells everyone who watches on this server, except whom it is about. */
  tell: (news: PresenceNews) => void;
  /** Something that a timer or another server began failed. */
  failed: (error: unknown) => void;
}

interface Shown {
  chooser: Chooser;
  owner: string;
  server: string;
  ends_at: number;
  lapse: NodeJS.Timeout;
}

export function createPresence({ relay, now, tell, failed }: PresenceOptions): Presence {
  const server = randomUUID();
  /** Their connections here. */
  const people = new Map<string, number>();
  /** The people of other servers, and when each was last heard. */
  const elsewhere = new Map<string, { people: number; heard_at: number }>();
  const shown = new Map<string, Shown>();
  /** The number that all watchers were told; null when some were told another one. */
  let told: number | null = 0;
  let published = 0;
  let counting: NodeJS.Timeout | null = null;

  /** For what nobody is there to catch. */
  const safely =
    <A extends unknown[]>(work: (...all: A) => void) =>
    (...all: A): void => {
      try {
        work(...all);
      } catch (error) {
        failed(error);
      }
    };
  const watching = (): number => [...elsewhere.values()].reduce((sum, other) => sum + other.people, people.size);
  const publishCount = (): void => {
    published = people.size;
    relay.publish({ op: 'watching', server, people: published });
  };
  const count = (): void => {
    counting = null;
    if (published !== people.size) publishCount();
    if (watching() === told) return;
    told = watching();
    tell({ op: 'watching', watching: told });
  };
  const countSoon = (): void => {
    counting ??= setTimeout(safely(count), COUNT_EVERY_MS).unref();
  };

  const remove = (id: string): void => {
    clearTimeout(shown.get(id)?.lapse);
    if (shown.delete(id)) tell({ op: 'remove', id });
  };
  const show = ({ chooser, owner, server, for_ms }: PresenceMessage & { op: 'put' }): void => {
    const before = shown.get(chooser.id);
    clearTimeout(before?.lapse);
    const lapse = setTimeout(safely(remove), for_ms, chooser.id).unref();
    shown.set(chooser.id, { chooser, owner, server, ends_at: now().getTime() + for_ms, lapse });
    if (!isDeepStrictEqual(before?.chooser, chooser)) tell({ op: 'put', chooser });
  };
  const leftOf = ({ ends_at }: Shown): number => Math.min(Math.max(ends_at - now().getTime(), 0), CHOOSING_MS);

  const hear = (message: PresenceMessage): void => {
    switch (message.op) {
      case 'hello':
        if (message.server === server) return;
        publishCount();
        for (const one of shown.values()) {
          const { chooser, owner } = one;
          if (one.server === server) relay.publish({ op: 'put', server, owner, chooser, for_ms: leftOf(one) });
        }
        return;
      case 'watching':
        if (message.server === server) return;
        elsewhere.set(message.server, { people: message.people, heard_at: now().getTime() });
        countSoon();
        return;
      case 'put':
        show(message);
        return;
      case 'remove':
        if (shown.get(message.id)?.owner === message.owner) remove(message.id);
    }
  };
  relay.listen(safely(hear));
  const greet = (): void => {
    relay.publish({ op: 'hello', server });
    publishCount();
  };
  relay.onConnected(safely(greet));
  const beat = (): void => {
    if (relay.isConnected()) publishCount();
    for (const [other, { heard_at }] of elsewhere) if (now().getTime() - heard_at >= SILENT_AFTER_MS) elsewhere.delete(other);
    countSoon();
  };
  const heartbeat = setInterval(safely(beat), HEARTBEAT_MS).unref();

  return {
    arrive: (id) => {
      people.set(id, (people.get(id) ?? 0) + 1);
      countSoon();
    },
    leave: (id) => {
      const rest = (people.get(id) ?? 0) - 1;
      if (rest > 0) people.set(id, rest);
      else people.delete(id);
      countSoon();
    },
    choose: (owner, { id, name }, choices) => {
      const chooser: Chooser = { id, name, choices };
      const before = shown.get(id);
      // The same again, from another page or another connection, is shown no longer for it.
      const for_ms = before && isDeepStrictEqual(before.chooser, chooser) ? leftOf(before) : CHOOSING_MS;
      relay.publish({ op: 'put', server, owner, chooser, for_ms });
    },
    withdraw: (owner, id) => relay.publish({ op: 'remove', owner, id }),
    stateFor: (id) => {
      if (watching() !== told) told = null;
      countSoon();
      const others = [...shown.values()].filter(({ chooser }) => chooser.id !== id);
      return { op: 'state', watching: watching(), choosers: others.map(({ chooser }) => chooser) };
    },
    choosing: () => shown.size,
    stop: () => {
      clearInterval(heartbeat);
      if (counting) clearTimeout(counting);
      for (const { lapse } of shown.values()) clearTimeout(lapse);
      relay.publish({ op: 'watching', server, people: 0 });
    },
  };
}
