import type { ChangeRecorder, ClockRow } from '../db/change-set.ts';
import type { Heartbeats } from '../db/clock/heartbeats.ts';
import type { Db, Tx } from '../db/open.ts';
import type { WriteContext } from '../db/unit-of-work.ts';
import type { Env } from '../env.ts';

/** Expires due items before each write, and offers freed hours after it. */
export interface Upkeep {
  /** Whether this process expires all deadlines and moves the board's date; else only the deadlines that depend on no setting. */
  isOurs: () => boolean;
  /** The earliest deadline; null if there is none. */
  nextDue: (db: Db, now: Date) => Promise<string | null>;
  /** Expires due items, before any rule is checked. */
  settle: (ctx: Writing, tx: Tx, changes: ChangeRecorder, clock: ClockRow) => Promise<void>;
  /** Offers freed hours to the next on the waitlists. */
  serve: (ctx: Writing, tx: Tx, changes: ChangeRecorder, clock: ClockRow) => Promise<void>;
  /** Offers now, for a write that answers with the outcome. A waitlist that cannot be served fails no write. */
  offer: (ctx: Writing, tx: Tx, changes: ChangeRecorder) => Promise<void>;
}

/** What features' operations need to write. Prefer `WriteContext` and what the folder itself needs. */
export interface Writing extends WriteContext {
  env: Env;
  upkeep: Upkeep;
  heartbeats: Heartbeats;
  outbox: {
    /** Notes the subscribed types in the clock row: other events are not collected. */
    updateSubscribedTypes: (tx: Tx) => Promise<void>;
  };
}
