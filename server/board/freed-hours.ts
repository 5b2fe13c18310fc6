import { defineCollector } from '../db/unit-of-work.ts';

/** Above this many spots, (spot, date) pairs or characters, check every waitlist instead of only these. */
const MAX_TRACKED = 200;

/** Spots and dates with hours that may be free for members on the waitlist. */
export interface FreeHours {
  everywhere: boolean;
  /** Spots, on any date. */
  spots: Set<number>;
  /** Spots on one date: `waitlistOf`. */
  waitlists: Set<string>;
  /** Keys of characters who may take other hours now, or have to leave. */
  characters: Set<string>;
}

export const waitlistOf = ({ respawn_id, date }: { respawn_id: number; date: string }): string =>
  `${respawn_id} ${date}`;

const copyOf = ({ everywhere, spots, waitlists, characters }: FreeHours): FreeHours => ({
  everywhere,
  spots: new Set(spots),
  waitlists: new Set(waitlists),
  characters: new Set(characters),
});

const NONE: FreeHours = {
  everywhere: false,
  spots: new Set(),
  waitlists: new Set(),
  characters: new Set(),
};

/** The hours that a write freed, until they are offered to members on the waitlist. */
export class FreedHours {
  #free = copyOf(NONE);

  /** @param date null for every date */
  at(respawn_id: number, date: string | null): void {
    if (date === null) this.#add(this.#free.spots, respawn_id);
    else this.#add(this.#free.waitlists, waitlistOf({ respawn_id, date }));
  }

  /** A character claimed or released hours, or is no longer a member. */
  of(character_key: string): void {
    this.#add(this.#free.characters, character_key);
  }

  /** A setting, the event or the day changed, on which every waitlist depends. */
  everywhere(): void {
    this.#free.everywhere = true;
  }

  get any(): boolean {
    const { everywhere, spots, waitlists, characters } = this.#free;
    return everywhere || spots.size + waitlists.size + characters.size > 0;
  }

  take(): FreeHours {
    const taken = this.#free;
    this.#free = copyOf(NONE);
    return taken;
  }

  mark(): () => void {
    const before = copyOf(this.#free);
    return () => {
      this.#free = copyOf(before);
    };
  }

  #add<T>(to: Set<T>, one: T): void {
    if (this.#free.everywhere) return;
    to.add(one);
    if (to.size > MAX_TRACKED) this.#free.everywhere = true;
  }
}

export const freedHours = defineCollector(
  () => new FreedHours(),
  (freed) => freed.mark(),
);
