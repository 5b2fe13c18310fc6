import type { Named } from './file-name.ts';

const DAY_MS = 86_400_000;
/** One backup of each of so many days is kept, today included. */
const DAYS_KEPT = 7;
const OCCASIONS = ['timed', 'asked', 'before'] as const;

export interface BackupFile extends Pick<Named, 'at' | 'occasion'> {
  name: string;
}

interface Rotation {
  now: Date;
  /** How many of each occasion are kept (BACKUPS_KEPT). */
  kept: number;
  /** The backup that was just made and read back: it is always kept. */
  made: string;
}

/**
 * The backups that rotation deletes: all but the newest of each occasion and the newest of each of the last seven days. Files
 * made by hand are never deleted. Files from the future, which a clock that ran ahead made, are rotated apart, or they would
 * push out the backups of today.
 */
export function filesToDelete(files: readonly BackupFile[], { now, kept, made }: Rotation): string[] {
  const ours = files.filter(({ occasion }) => occasion !== null).sort((a, b) => b.at.getTime() - a.at.getTime());
  const isFuture = ({ at }: BackupFile): boolean => at > now;
  const [future, past] = [ours.filter(isFuture), ours.filter((file) => !isFuture(file))];
  const keep = new Set([made, ...newest(past, now, kept), ...newest(future, future[0]?.at ?? now, kept)]);
  return ours.flatMap(({ name }) => (keep.has(name) ? [] : [name]));
}

/** @param files the newest first */
function newest(files: readonly BackupFile[], until: Date, kept: number): string[] {
  const ofOccasions = OCCASIONS.flatMap((occasion) =>
    // The last one that an owner asked for stays even where no automatic backups are kept.
    files.filter((file) => file.occasion === occasion).slice(0, Math.max(kept, occasion === 'asked' ? 1 : 0)),
  );
  const today = dayOf(until);
  const days = Map.groupBy(files, ({ at }) => dayOf(at));
  const ofDays = [...days].flatMap(([day, [first]]) => (kept > 0 && first && day > today - DAYS_KEPT ? [first] : []));
  return [...ofOccasions, ...ofDays].map(({ name }) => name);
}

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);
