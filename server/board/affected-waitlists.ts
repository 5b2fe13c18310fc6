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
  /** Keys of characters whose access works again, each with the time of the ban that was undone; null: there was none. */
  returned: ReadonlyMap<string, string | null>;
  /** Spots that were enabled, disabled, deleted or restored. */
  turned: ReadonlySet<number>;
  /** The names of deleted spots, by id. */
  deleted: ReadonlyMap<number, string>;
}

const NONE: AffectedSet = {
  ...{ all: false, spots: new Set(), waitlists: new Set(), characters: new Set(), gone: new Set() },
  ...{ returned: new Map(), turned: new Set(), deleted: new Map() },
};

export const waitlistOf = ({ respawn_id, date }: { respawn_id: number; date: string }): string =>
  `${respawn_id} ${date}`;

/** The waitlists that a write has to check, because hours may be offered to them or their members may have to leave. */
export class AffectedWaitlists {
  #all = false;
  #spots = new Set<number>();
  #waitlists = new Set<string>();
  #characters = new Set<string>();
  #gone = new Set<string>();
  #returned = new Map<string, string | null>();
  #turned = new Set<number>();
  #deleted = new Map<number, string>();

  /** Hours of a spot were freed. @param date null for every date of its claim */
  hours(respawn_id: number, date: string | null): void {
    if (date === null) this.#add(this.#spots, respawn_id);
    else this.#add(this.#waitlists, waitlistOf({ respawn_id, date }));
  }

  /** A spot was enabled, disabled, deleted or restored. @param name of a deleted one, which no query finds any more */
  spot(respawn_id: number, name?: string): void {
    this.#add(this.#spots, respawn_id);
    this.#turned.add(respawn_id);
    if (name !== undefined) this.#deleted.set(respawn_id, name);
  }

  /** A character claimed a date or hours, or released them. */
  character(character_key: string): void {
    this.#add(this.#characters, character_key);
  }

  /** A character was banned, lost its key, or has another owner. */
  gone(character_key: string): void {
    this.#gone.add(character_key);
  }

  /** A character's key was enabled or restored, or a ban was undone. @param banned_at when the ban had been made */
  returned(character_key: string, banned_at: string | null = null): void {
    this.#returned.set(character_key, banned_at);
  }

  /** Something changed that every waitlist depends on: a setting, the event, the day. */
  all(): void {
    this.#all = true;
  }

  get any(): boolean {
    return (
      this.#all ||
      this.#spots.size + this.#waitlists.size + this.#characters.size + this.#gone.size > 0
    );
  }

  get goneCharacters(): ReadonlySet<string> {
    return this.#gone;
  }

  /** Returns the pairs recorded since the last call. */
  take(): AffectedSet {
    const taken = this.copy();
    this.become(NONE);
    return taken;
  }

  copy(): AffectedSet {
    return {
      all: this.#all,
      spots: new Set(this.#spots),
      waitlists: new Set(this.#waitlists),
      characters: new Set(this.#characters),
      gone: new Set(this.#gone),
      returned: new Map(this.#returned),
      turned: new Set(this.#turned),
      deleted: new Map(this.#deleted),
    };
  }

  become({
    all,
    spots,
    waitlists,
    characters,
    gone,
    returned,
    turned,
    deleted,
  }: AffectedSet): void {
    this.#all = all;
    this.#spots = new Set(spots);
    this.#waitlists = new Set(waitlists);
    this.#characters = new Set(characters);
    this.#gone = new Set(gone);
    this.#returned = new Map(returned);
    this.#turned = new Set(turned);
    this.#deleted = new Map(deleted);
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
