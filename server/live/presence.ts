import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  CHOOSING_MS,
  type Chooser,
  type ChosenHours,
  type PresenceChange,
  type PresenceNews,
} from '../../shared/live.ts';
import { inBatches } from '../db/database.ts';
import type { PresenceMessage, PresenceRelay } from './presence-relay.ts';

/** The number of watchers is sent at most this often, in milliseconds, so a page that reloads changes nothing. */
export const COUNT_EVERY_MS = 1_000;
/** How often servers tell each other that they run, and after how long a silent one counts as gone, in milliseconds. */
export const HEARTBEAT_MS = 10_000;
export const SILENT_AFTER_MS = 3 * HEARTBEAT_MS;
/** Presence is sent at most this often, in milliseconds, however many people choose. */
export const BATCH_MS = 100;
/** News in one message. Each person in it gets a message of their own with the rest of it. */
export const NEWS_PER_MESSAGE = 25;

/** Someone who watches; a visitor of a public board counts as one person for each connection. */
export interface Person {
  /** Also the name of the room of their connections. */
  id: string;
  /** The character's name; null for an admin or a visitor. */
  name: string | null;
}

/** Members and admins who watch or choose hours: in memory, one entry each, which expires. */
export interface Presence {
  arrive: (person_id: string) => void;
  leave: (person_id: string) => void;
  /** Replaces what the person chose on another connection. */
  choose: (owner: string, person: Person, choices: readonly ChosenHours[]) => void;
  /** Withdraws the choice if it was made on this connection. */
  withdraw: (owner: string, person_id: string) => void;
  /** Everything, without the person's own choice. */
  stateFor: (person_id: string) => PresenceChange;
  choosing: () => number;
  stop: () => void;
}

interface PresenceOptions {
  relay: PresenceRelay;
  now: () => Date;
  /** Sends presence updates to all watchers of this server, except the person's own. */
  tell: (news: PresenceNews) => void;
  /** Reports a failure in what a timer or another server started. */
  failed: (error: unknown) => void;
}

interface Choice {
  chooser: Chooser;
  /** The connection that made it. */
  owner: string;
  server: string;
  expires_at: number;
  timer: NodeJS.Timeout;
}

export function createPresence({ relay, now, tell, failed }: PresenceOptions): Presence {
  const server = randomUUID();
  /** Connections to this server, by person. */
  const people = new Map<string, number>();
  const otherServers = new Map<string, { people: number; heard_at: number }>();
  const choices = new Map<string, Choice>();
  /** The number that every watcher was sent; null if some were sent another one. */
  let toldCount: number | null = 0;
  let publishedCount = 0;
  let countTimer: NodeJS.Timeout | null = null;

  /** For callbacks that have no caller to catch. */
  const safely =
    <A extends unknown[]>(work: (...all: A) => void) =>
    (...all: A): void => {
      try {
        work(...all);
      } catch (error) {
        failed(error);
      }
    };
  const watching = (): number =>
    [...otherServers.values()].reduce((sum, other) => sum + other.people, people.size);
  const publishCount = (): void => {
    publishedCount = people.size;
    relay.publish({ op: 'watching', server, people: publishedCount });
  };
  const tellCount = (): void => {
    countTimer = null;
    if (publishedCount !== people.size) publishCount();
    if (watching() === toldCount) return;
    toldCount = watching();
    tell({ op: 'watching', watching: toldCount });
  };
  const tellCountSoon = (): void => {
    countTimer ??= setTimeout(safely(tellCount), COUNT_EVERY_MS).unref();
  };

  const remove = (id: string): void => {
    clearTimeout(choices.get(id)?.timer);
    if (choices.delete(id)) tell({ op: 'remove', id });
  };
  const put = ({ chooser, owner, server, for_ms }: PresenceMessage & { op: 'put' }): void => {
    const before = choices.get(chooser.id);
    clearTimeout(before?.timer);
    const timer = setTimeout(safely(remove), for_ms, chooser.id).unref();
    choices.set(chooser.id, {
      chooser,
      owner,
      server,
      expires_at: now().getTime() + for_ms,
      timer,
    });
    if (!isDeepStrictEqual(before?.chooser, chooser)) tell({ op: 'put', chooser });
  };
  const msLeft = ({ expires_at }: Choice): number =>
    Math.min(Math.max(expires_at - now().getTime(), 0), CHOOSING_MS);

  const receive = (message: PresenceMessage): void => {
    switch (message.op) {
      case 'hello':
        if (message.server === server) return;
        publishCount();
        for (const choice of choices.values()) {
          const { chooser, owner } = choice;
          if (choice.server === server)
            relay.publish({ op: 'put', server, owner, chooser, for_ms: msLeft(choice) });
        }
        return;
      case 'watching':
        if (message.server === server) return;
        otherServers.set(message.server, { people: message.people, heard_at: now().getTime() });
        tellCountSoon();
        return;
      case 'put':
        put(message);
        return;
      case 'remove':
        if (choices.get(message.id)?.owner === message.owner) remove(message.id);
    }
  };
  relay.listen(safely(receive));
  const greet = (): void => {
    relay.publish({ op: 'hello', server });
    publishCount();
  };
  relay.onConnected(safely(greet));
  const beat = (): void => {
    if (relay.isConnected()) publishCount();
    for (const [other, { heard_at }] of otherServers)
      if (now().getTime() - heard_at >= SILENT_AFTER_MS) otherServers.delete(other);
    tellCountSoon();
  };
  const heartbeat = setInterval(safely(beat), HEARTBEAT_MS).unref();

  return {
    arrive: (id) => {
      people.set(id, (people.get(id) ?? 0) + 1);
      tellCountSoon();
    },
    leave: (id) => {
      const rest = (people.get(id) ?? 0) - 1;
      if (rest > 0) people.set(id, rest);
      else people.delete(id);
      tellCountSoon();
    },
    choose: (owner, { id, name }, hours) => {
      const chooser: Chooser = { id, name, choices: hours };
      const before = choices.get(id);
      // The same choice from another page or connection does not extend its time.
      const for_ms =
        before && isDeepStrictEqual(before.chooser, chooser) ? msLeft(before) : CHOOSING_MS;
      relay.publish({ op: 'put', server, owner, chooser, for_ms });
    },
    withdraw: (owner, id) => relay.publish({ op: 'remove', owner, id }),
    stateFor: (id) => {
      if (watching() !== toldCount) toldCount = null;
      tellCountSoon();
      const others = [...choices.values()].filter(({ chooser }) => chooser.id !== id);
      return { op: 'state', watching: watching(), choosers: others.map(({ chooser }) => chooser) };
    },
    choosing: () => choices.size,
    stop: () => {
      clearInterval(heartbeat);
      if (countTimer) clearTimeout(countTimer);
      for (const { timer } of choices.values()) clearTimeout(timer);
      relay.publish({ op: 'watching', server, people: 0 });
    },
  };
}

/** The person of the update; null: the number of watchers. Newer updates of the same key replace older ones. */
export function newsKey(news: PresenceNews): string | null {
  if (news.op === 'watching') return null;
  return news.op === 'put' ? news.chooser.id : news.id;
}

/**
 * Collects presence news for a moment, only the latest of each person. After a quiet moment the first is sent at once.
 * @param send is never given an empty list
 * @param failed gets what `send` throws
 */
export function batchNews(
  send: (news: readonly PresenceNews[]) => void,
  failed: (error: unknown) => void,
): { add: (news: PresenceNews) => void; stop: () => void } {
  const pending = new Map<string | null, PresenceNews>();
  let timer: NodeJS.Timeout | null = null;

  const sendPending = (): void => {
    const news = [...pending.values()];
    pending.clear();
    timer = setTimeout(endBatch, BATCH_MS).unref();
    try {
      send(news);
    } catch (error) {
      failed(error);
    }
  };
  const endBatch = (): void => {
    timer = null;
    if (pending.size > 0) sendPending();
  };
  return {
    add: (news) => {
      pending.set(newsKey(news), news);
      if (!timer) sendPending();
    },
    stop: () => {
      if (timer) clearTimeout(timer);
    },
  };
}

interface AddressedMessage {
  message: PresenceChange;
  to: readonly string[];
  except?: readonly string[];
}

/** The messages for some updates: everyone gets all of them, except their own. @param all the rooms that contain everyone */
export function* presenceMessages(
  news: readonly PresenceNews[],
  all: readonly string[],
): Generator<AddressedMessage, void> {
  for (const batch of inBatches(news, NEWS_PER_MESSAGE)) {
    const people = batch.map(newsKey).filter((id) => id !== null);
    yield { message: inOneMessage(batch), to: all, except: people };
    for (const id of people) {
      const others = batch.filter((each) => newsKey(each) !== id);
      if (others.length > 0) yield { message: inOneMessage(others), to: [id] };
    }
  }
}

export function inOneMessage(news: readonly PresenceNews[]): PresenceChange {
  const [only] = news;
  return only && news.length === 1 ? only : { op: 'several', news };
}
