import type { PresenceChange, PresenceNews } from '../../shared/live.ts';
import { inBatches } from '../db/batches.ts';

/** Watchers are told of each other at most this often, in milliseconds, whatever how many do. */
export const GATHER_MS = 100;

/**
 * Gathers what happens within a stretch of time, of each person the latest only; the first after a quiet one is told at once.
 * @param tell is given what is new, never nothing
 * @param failed hears of what `tell` throws when nobody else is there to
 */
export function gathering(
  tell: (news: readonly PresenceNews[]) => void,
  failed: (error: unknown) => void,
): { add: (news: PresenceNews) => void; stop: () => void } {
  const gathered = new Map<string | null, PresenceNews>();
  let stretch: NodeJS.Timeout | null = null;

  const tellGathered = (): void => {
    const news = [...gathered.values()];
    gathered.clear();
    stretch = setTimeout(end, GATHER_MS).unref();
    try {
      tell(news);
    } catch (error) {
      failed(error);
    }
  };
  const end = (): void => {
    stretch = null;
    if (gathered.size > 0) tellGathered();
  };
  return {
    add: (news) => {
      gathered.set(newsKey(news), news);
      if (!stretch) tellGathered();
    },
    stop: () => {
      if (stretch) clearTimeout(stretch);
    },
  };
}

/** How much is told in one message. Whom it is about is told the rest of it, each in a message of their own. */
export const NEWS_A_MESSAGE = 25;

interface Telling {
  said: PresenceChange;
  to: readonly string[];
  except?: readonly string[];
}

/** What to tell whom of some news: everybody all of it, but nobody what is about them. @param all the rooms with everybody */
export function* tellings(news: readonly PresenceNews[], all: readonly string[]): Generator<Telling, void> {
  for (const some of inBatches(news, NEWS_A_MESSAGE)) {
    const people = some.map(newsKey).filter((id) => id !== null);
    yield { said: inOne(some), to: all, except: people };
    for (const id of people) {
      const others = some.filter((each) => newsKey(each) !== id);
      if (others.length > 0) yield { said: inOne(others), to: [id] };
    }
  }
}

/** Whom it is about; null: about how many there are. Newer news of the same key replaces older. */
export function newsKey(news: PresenceNews): string | null {
  if (news.op === 'watching') return null;
  return news.op === 'put' ? news.chooser.id : news.id;
}

/** Some news as one message. */
export function inOne(news: readonly PresenceNews[]): PresenceChange {
  const [only] = news;
  return only && news.length === 1 ? only : { op: 'several', news };
}
