import type { Logger } from 'pino';
import type { DueSource } from './source.ts';

/** How long a source is let be that has failed, in milliseconds. */
const LET_BE_MS = 60_000;
/** How often the log is told of the same one, in milliseconds. */
const SAY_EVERY_MS = 10 * 60_000;

type Named = Pick<DueSource, 'name'>;

/** Sources that could not end what was due: each is let be for a while, so that whoever writes is not kept by its fault. */
export interface Troubled {
  /** Until when a source is let be, as it is stored; null: it is not. */
  until: (source: Named, now: Date) => string | null;
  note: (source: Named, now: Date, error: unknown) => void;
  /** Those that are let be now. */
  names: (now: Date) => string[];
}

export function createTroubled(log: Pick<Logger, 'error'>): Troubled {
  const failed = new Map<Named, { at: number; said: number }>();
  // Also before it: the clock ran ahead then.
  const isWithin = (now: Date, moment: number, ms: number): boolean => Math.abs(now.getTime() - moment) < ms;
  return {
    until: (source, now) => {
      const last = failed.get(source);
      return last && isWithin(now, last.at, LET_BE_MS) ? new Date(last.at + LET_BE_MS).toISOString() : null;
    },
    names: (now) => [...failed].filter(([, { at }]) => isWithin(now, at, LET_BE_MS)).map(([{ name }]) => name),
    note: (source, now, error) => {
      const at = now.getTime();
      const last = failed.get(source);
      const isSaid = last !== undefined && isWithin(now, last.said, SAY_EVERY_MS);
      failed.set(source, { at, said: isSaid ? last.said : at });
      if (!isSaid) log.error({ err: error, due: source.name }, 'what is due does not end; it is let be, and tried again each minute');
    },
  };
}
