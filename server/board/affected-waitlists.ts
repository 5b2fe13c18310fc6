import { defineCollector } from '../db/unit-of-work.ts';

/** Above this many spots, (spot, date) pairs or characters, check every waitlist instead of only these. */
const MAX_TRACKED = 200;

/** Which waitlists a write may have changed the outlook of, until they are checked. */
export interface AffectedSet {
  all: boolean;
  /** Spots, on any date. */
  spots: ReadonlySet<number>;
  /** Spots on one date: `waitlistOf`. */
  waitlists: ReadonlySet<string>;
  /** Keys of characters who may be on a waitlist. */
  characters: ReadonlySet<string>;
  /** Keys of characters who are no longer members. */
  gone: ReadonlySet<string>;
}

export const waitlistOf = ({ respawn_id, date }: { respawn_id: number; date: string }): string => `${respawn_id} ${date}`;

/** The waitlists that a write has to check, because hours may be offered to them or their members may have to leave. */
export class AffectedWaitlists {
  #all = false;
  #spots = new Set<number>();
  #waitlists = new Set<string>();
  #characters = new Set<string>();
  #gone = new Set<string>();

  /** Hours of a spot were freed. @param date null for every date of its claim */
  hours(respawn_id: number, date: string | null): void {
    if (date === null) this.spot(respawn_id);
    else this.#add(this.#waitlists, waitlistOf({ respawn_id, date }));
  }

  /** A spot was deleted, or enabled or disabled. */
  spot(respawn_id: number): void {
    this.#add(this.#spots, respawn_id);
  }

  /** A character claimed a date or hours, or released them. */
  character(character_key: string): void {
    this.#add(this.#characters, character_key);
  }

  /** A character was banned, or lost its key. */
  gone(character_key: string): void {
    this.#gone.add(character_key);
  }

  /** Something changed that every waitlist depends on: a setting, the event, the day. */
  all(): void {
    this.#all = true;
  }

  get any(): boolean {
    return this.#all || this.#spots.size + this.#waitlists.size + this.#characters.size + this.#gone.size > 0;
  }

  get goneCharacters(): ReadonlySet<string> {
    return this.#gone;
  }

  /** Whether spots may have been deleted. */
  get hasSpots(): boolean {
    return this.#all || this.#spots.size > 0;
  }

  /** Returns the pairs recorded since the last call. */
  take(): AffectedSet {
    const taken = this.copy();
    this.become({ all: false, spots: new Set(), waitlists: new Set(), characters: new Set(), gone: new Set() });
    return taken;
  }

  copy(): AffectedSet {
    return {
      all: this.#all,
      spots: new Set(this.#spots),
      waitlists: new Set(this.#waitlists),
      characters: new Set(this.#characters),
      gone: new Set(this.#gone),
    };
  }

  become({ all, spots, waitlists, characters, gone }: AffectedSet): void {
    this.#all = all;
    this.#spots = new Set(spots);
    this.#waitlists = new Set(waitlists);
    this.#characters = new Set(characters);
    this.#gone = new Set(gone);
  }

  #add<T>(to: Set<T>, one: T): void {
    if (this.#all) return;
    to.add(one);
    if (to.size > MAX_TRACKED) this.#all = true;
  }
}

export const affectedWaitlists = defineCollector(
  () => new AffectedWaitlists(),
  (affected) => {
    const copy = affected.copy();
    return () => affected.become(copy);
  },
);
