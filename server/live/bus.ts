import type { Logger } from 'pino';
import type { Db, Dialect } from '../db/open.ts';
import type { StoredChange, StoredChangeSet } from '../db/write.ts';
import { epochOf } from './epoch.ts';

export type Listener = (set: StoredChangeSet) => void;

/** Hands every committed change set, once and in the clock's order, to those who listen on this server. */
export interface ChangeBus {
  /** The clock of the last change set handed out. */
  clock: () => number;
  /** The history that the clock counts; for as long as this server runs. */
  epoch: string;
  /** A set just committed here. Handed out at once when it is the next, else after those before it. */
  offer: (set: StoredChangeSet) => void;
  /** Something was committed elsewhere, up to `clock` (unknown: pass nothing). */
  wake: (clock?: number) => void;
  listen: (listener: Listener) => void;
  /** Resolves when no catching up is under way. */
  idle: () => Promise<void>;
}

/** Reads the change sets after a clock from the table. */
export async function changeSetsSince(db: Db, clock: number): Promise<StoredChangeSet[]> {
  const rows = await db.selectFrom('changes').select(['clock', 'body']).where('clock', '>', clock).orderBy('clock').execute();
  return rows.map((row) => {
    const changes: StoredChange[] = JSON.parse(row.body);
    return { clock: row.clock, changes };
  });
}

/** Starts at the clock the database has now. */
export async function createBus(db: Db, dialect: Dialect, log: Logger): Promise<ChangeBus> {
  const listeners: Listener[] = [];
  const { value } = await db.selectFrom('clock').select('value').executeTakeFirstOrThrow();
  const epoch = await epochOf(db, dialect);
  let last = value;
  let catchingUp: Promise<void> | null = null;
  let wokenAgain = false;

  const handOut = (set: StoredChangeSet): void => {
    if (set.clock <= last) return;
    last = set.clock;
    for (const listener of listeners) listener(set);
  };

  const catchUp = async (): Promise<void> => {
    do {
      wokenAgain = false;
      for (const set of await changeSetsSince(db, last)) handOut(set);
    } while (wokenAgain);
  };

  const wake = (clock?: number): void => {
    if (clock !== undefined && clock <= last) return;
    wokenAgain = true;
    catchingUp ??= catchUp()
      .catch((error: unknown) => log.error({ err: error }, 'change sets could not be read'))
      .finally(() => {
        catchingUp = null;
      });
  };

  return {
    clock: () => last,
    epoch,
    offer: (set) => {
      if (set.clock === last + 1) handOut(set);
      else wake(set.clock);
    },
    wake,
    listen: (listener) => listeners.push(listener),
    idle: async () => {
      while (catchingUp) await catchingUp;
    },
  };
}
