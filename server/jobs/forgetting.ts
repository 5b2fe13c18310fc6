import { z } from 'zod';
import type { ChangeRecorder } from '../db/change-set.ts';
import type { Db, Tx } from '../db/open.ts';
import { type InsideKind, type JobContext, nextHour } from './kind.ts';

/** What one write forgets at most, or other writes would wait for it. */
const FORGOTTEN_AT_ONCE = 100;

interface Forgetting<Old> {
  kind: string;
  /** Those that are old by now, the oldest first, and no more of them than asked for. */
  old: (db: Db | Tx, now: Date, most: number) => Promise<readonly Old[]>;
  forget: (tx: Tx, old: readonly Old[], changes: ChangeRecorder) => Promise<unknown>;
}

/** Forgets what is old, hour by hour, some in a write for as long as there is more. */
export const forgetting = <Old>({ kind, old, forget }: Forgetting<Old>): InsideKind<null> => ({
  kind,
  runs: 'inside',
  payload: z.null(),
  deletes_by_age: true,
  next: nextHour,
  isNeeded: async ({ db, now }: JobContext) => (await old(db, now(), 1)).length > 0,
  run: async ({ now }, tx, changes) => {
    const found = await old(tx, now(), FORGOTTEN_AT_ONCE);
    if (found.length > 0) await forget(tx, found, changes);
    return found.length < FORGOTTEN_AT_ONCE ? undefined : 'more';
  },
});

/** The moment so many days ago, as it is stored. */
export const daysBefore = (now: Date, days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();
