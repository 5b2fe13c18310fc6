import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { Writing } from '../writing.ts';

/** One sort of thing that ends by itself at some moment, whether or not anybody looks. */
export interface DueSource {
  /** What the log calls it. */
  name: string;
  /** Depends on no setting, so that also a server whose settings differ from the others' expires it. */
  needsNoSettings?: true;
  /** The next moment at which one does, as it is stored; null: none will. From an index, since many writes ask. */
  earliest: (db: Db | Tx) => Promise<string | null>;
  /**
   * Ends all of the sort that were due by then, in their order. What comes free by that is noted, not offered. Where it throws,
   * nothing of it stays, and the write goes on.
   */
  settle: (ctx: Writing, tx: Tx, changes: ChangeRecorder, until: string) => Promise<void>;
}
