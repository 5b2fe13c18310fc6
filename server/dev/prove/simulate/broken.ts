/** Something that must never be. */
export class Broken extends Error {
  /** The step in which it was, counted from 1. */
  at = 0;
}
