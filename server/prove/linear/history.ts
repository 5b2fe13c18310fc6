/** A claim as a reader sees it: where, whose, and which hours, on the one date of the history. */
export interface Seen {
  id: number;
  spot: number;
  character: string;
  hour_start: number;
  hour_end: number;
}

/** What somebody asked for. A read tells all that occupies some spots. */
export type Call =
  | ({ do: 'submit' } & Omit<Seen, 'id'>)
  | { do: 'edit'; id: number; hour_start: number; hour_end: number }
  | { do: 'delete'; id: number }
  | { do: 'read'; spots: readonly number[] };

/** What the server said. `lost`: it was not heard; the call may have happened, at any time since it began, or not at all. */
export type Said =
  | { was: 'done'; id?: number }
  | { was: 'hours taken' }
  | { was: 'character taken' }
  | { was: 'not found' }
  | { was: 'read'; claims: readonly Seen[] }
  | { was: 'lost' };

/** One call with the moments at which it began and was answered, in any one unit. */
export interface Operation {
  began: number;
  /** Infinity when the answer was lost. */
  answered: number;
  call: Call;
  said: Said;
}
