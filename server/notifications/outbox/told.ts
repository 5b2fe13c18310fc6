import { NEWS_TYPES, type News, type NewsOf, type NewsType } from '../../../shared/schemas/news.ts';
import { defineCollector } from '../../db/change-set.ts';

/** So much is told before it is stored, where a write tells very much. */
const KEPT_AT_ONCE = 500;

/** An event whose claims have no dates of their own has other dates: for its claimants, and nobody outside. */
export interface EventMoved {
  type: 'event.moved';
  timestamp: string;
  data: { event_id: number; first: string; last: string };
}
/**
 * Only for the claimant: an admin restored a deleted claim, or made or deleted it in bulk. Channels hear of a restored claim as one that
 * was created, and of bulk work by a summary.
 */
export interface MemberEvent {
  type: 'claim.restored' | 'claim.added' | 'claim.removed';
  timestamp: string;
  data: { id: number; character_name: string; respawn_name: string; date: string | null; hour_start: number; hour_end: number };
}
/** What a write tells to whoever notes what is to be sent. */
export type Told = News | EventMoved | MemberEvent;

const NEWS: ReadonlySet<string> = new Set(NEWS_TYPES);
export const isNews = (told: Told): told is News => NEWS.has(told.type);

type Untimed = { [T in NewsType]: Omit<NewsOf<T>, 'timestamp'> }[NewsType] | Omit<EventMoved, 'timestamp'> | Omit<MemberEvent, 'timestamp'>;

/** Collects, in a write, what those outside are told of. */
export class ToldNews {
  readonly #heard: ReadonlySet<string>;
  readonly #timestamp: string;
  #store: (news: readonly Told[]) => Promise<void> = async () => {};
  #told: Told[] = [];

  /** @param heard as the clock's row has it */
  constructor(heard: string | null, timestamp: string) {
    this.#heard = new Set(heard?.split(' '));
    this.#timestamp = timestamp;
  }

  /** @param store stores events in the write's own transaction */
  storeWith(store: (news: readonly Told[]) => Promise<void>): void {
    this.#store = store;
  }

  /** Whether anybody is told of it: asked before anything is loaded to tell it. */
  hears(type: Told['type']): boolean {
    return this.#heard.has(type);
  }

  /** What nobody hears is forgotten at once. */
  tell(told: Untimed): void {
    if (this.hears(told.type)) this.#told.push({ ...told, timestamp: this.#timestamp });
  }

  /** Stores what was told, in its order. @param least where less was told, it waits for more */
  async store(least = 1): Promise<void> {
    if (this.#told.length < least) return;
    const told = this.#told;
    this.#told = [];
    await this.#store(told);
  }

  /** @returns what takes back all that is told from now on: whatever of it was stored meanwhile was rolled back */
  mark(): () => void {
    const told = [...this.#told];
    return () => {
      this.#told = told;
    };
  }

  /** To be called after each of many: they need not be in memory all at once. */
  storeMany(): Promise<void> {
    return this.store(KEPT_AT_ONCE);
  }
}

/** The domain events of a write. */
export const domainEvents = defineCollector(
  ({ at, clock }) => new ToldNews(clock.heard, at.toISOString()),
  (news) => news.mark(),
);
