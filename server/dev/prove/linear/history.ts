/** A claim as a reader sees it: where, whose, and which hours, on the one date of the history. */
export interface Seen {
  id: number;
  spot: number;
  character: string;
  hour_start: number;
  hour_end: number;
  /** A hold for a waitlist entry. */
  held: boolean;
}

/** A waitlist entry as a reader sees it. */
export interface SeenInLine {
  id: number;
  spot: number;
  character: string;
  position: number;
  /** The claim that holds hours for it. */
  hold: number | null;
}

/** A call. A read returns all claims on some spots, or all entries of their waitlists. */
export type Call =
  | ({ do: 'submit' } & Omit<Seen, 'id' | 'held'>)
  | ({ do: 'wait'; least: number } & Omit<Seen, 'id' | 'held'>)
  | { do: 'accept' | 'decline'; wait: number }
  | { do: 'edit'; id: number; hour_start: number; hour_end: number }
  | { do: 'move'; id: number; spot: number }
  | { do: 'delete' | 'release'; id: number }
  | { do: 'read'; spots: readonly number[] }
  | { do: 'line'; spots: readonly number[] };

/** The server's answer. `lost`: none came; the call may have happened, at any time since it began, or not at all. */
export type Reply =
  | { was: 'done'; id?: number; hold?: number | null }
  | { was: 'hours taken' }
  | { was: 'character taken' }
  | { was: 'not found' }
  /** For a reason of lines, by its code. */
  | { was: 'refused'; code: string }
  | { was: 'read'; claims: readonly Seen[] }
  | { was: 'line'; waits: readonly SeenInLine[] }
  | { was: 'lost' };

/** One call with the moments at which it began and was answered, in any one unit. */
export interface Operation {
  began: number;
  /** Infinity when the answer was lost. */
  answered: number;
  call: Call;
  reply: Reply;
}
