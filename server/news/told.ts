import type { News, NewsOf, NewsType } from '../../shared/schemas/news.ts';

/** So much is told before it is stored, where a write tells very much. */
const KEPT_AT_ONCE = 500;

type Untimed = { [T in NewsType]: Omit<NewsOf<T>, 'timestamp'> }[NewsType];

/** Collects, in a write, what those outside are told of. */
export class ToldNews {
  readonly #heard: ReadonlySet<string>;
  readonly #timestamp: string;
  readonly #store: (news: readonly News[]) => Promise<void>;
  #told: News[] = [];

  /**
   * @param heard as the clock's row has it
   * @param store in the write's own transaction
   */
  constructor(heard: string | null, timestamp: string, store: (news: readonly News[]) => Promise<void>) {
    this.#heard = new Set(heard?.split(' '));
    this.#timestamp = timestamp;
    this.#store = store;
  }

  /** Whether anybody is told of it: asked before anything is loaded to tell it. */
  hears(type: NewsType): boolean {
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

/** Of a write whose news nobody is to hear. */
export const untold = (): ToldNews => new ToldNews(null, '', async () => {});
