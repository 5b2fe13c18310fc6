/** More of them are as good as all. */
const MOST = 200;

/** What a write did to hours and days that somebody may wait for, as far as is known until somebody looks. */
export interface TouchedLines {
  all: boolean;
  /** Of spots, on which date ever. */
  spots: ReadonlySet<number>;
  /** Of one spot on one date: `lineOf`. */
  lines: ReadonlySet<string>;
  /** In which these characters stand, by their keys. */
  characters: ReadonlySet<string>;
  /** Characters that are no members any more. */
  gone: ReadonlySet<string>;
}

export const lineOf = ({ respawn_id, date }: { respawn_id: number; date: string }): string => `${respawn_id} ${date}`;

/** Notes which lines may be served anew. Too many at once are noted as all. */
export class Touched {
  #all = false;
  #spots = new Set<number>();
  #lines = new Set<string>();
  #characters = new Set<string>();
  #gone = new Set<string>();

  /** Hours of a spot came free; without a date: on all that its claim had. */
  hours(respawn_id: number, date: string | null): void {
    if (date === null) this.spot(respawn_id);
    else this.#add(this.#lines, lineOf({ respawn_id, date }));
  }

  /** A spot is gone, or takes no claims any more. */
  spot(respawn_id: number): void {
    this.#add(this.#spots, respawn_id);
  }

  /** A character claimed a date or hours, or gave them up. */
  character(character_key: string): void {
    this.#add(this.#characters, character_key);
  }

  /** A character was banned, or lost its key. */
  gone(character_key: string): void {
    this.#gone.add(character_key);
  }

  /** What every line depends on changed: a switch, the event, the day. */
  all(): void {
    this.#all = true;
  }

  get any(): boolean {
    return this.#all || this.#spots.size + this.#lines.size + this.#characters.size + this.#gone.size > 0;
  }

  /** What was noted since this was asked last. */
  take(): TouchedLines {
    const taken = this.copy();
    this.become({ all: false, spots: new Set(), lines: new Set(), characters: new Set(), gone: new Set() });
    return taken;
  }

  /** What is noted by now. */
  copy(): TouchedLines {
    return {
      all: this.#all,
      spots: new Set(this.#spots),
      lines: new Set(this.#lines),
      characters: new Set(this.#characters),
      gone: new Set(this.#gone),
    };
  }

  /** Notes this, and nothing else. */
  become({ all, spots, lines, characters, gone }: TouchedLines): void {
    this.#all = all;
    this.#spots = new Set(spots);
    this.#lines = new Set(lines);
    this.#characters = new Set(characters);
    this.#gone = new Set(gone);
  }

  #add<T>(to: Set<T>, one: T): void {
    if (this.#all) return;
    to.add(one);
    if (to.size > MOST) this.#all = true;
  }
}
