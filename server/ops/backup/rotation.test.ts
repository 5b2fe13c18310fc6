import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BackupFile, fileNameAt, filesToDelete, readFileName } from './backup-files.ts';

const DAY_MS = 86_400_000;
const OCCASIONS = ['timed', 'asked', 'before-009-waits'] as const;
const START = Date.parse('2026-11-21T18:00:00.000Z');

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);
const fileAt = (at: Date, occasion?: (typeof OCCASIONS)[number]): BackupFile => {
  const name = fileNameAt(at, occasion);
  return { name, at: readFileName(name)?.at ?? at, occasion: readFileName(name)?.occasion ?? null };
};
const newestFirst = (files: readonly BackupFile[]) =>
  [...files].sort((a, b) => b.at.getTime() - a.at.getTime());

/** A backup after some time, by a clock that may jump; it may be damaged later. */
const step = fc.record({
  passes_ms: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1_000, max: 2 * DAY_MS }) },
    { weight: 3, arbitrary: fc.integer({ min: -65_000, max: 65_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -400 * DAY_MS, max: 400 * DAY_MS }) },
  ),
  occasion: fc.constantFrom(...OCCASIONS, undefined),
  is_damaged_later: fc.boolean(),
});

it('keeps the newest, one of each of the last seven days, and one that can be restored, at any clock', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 8 }),
      fc.array(step, { minLength: 1, maxLength: 60 }),
      (kept, steps) => {
        let files: BackupFile[] = [];
        const damaged = new Set<string>();
        let time = START;
        for (const { passes_ms, occasion, is_damaged_later } of steps) {
          time += passes_ms;
          const now = new Date(time);
          const made = fileAt(now, occasion);
          // The server makes no file whose name is taken.
          if (files.some(({ name }) => name === made.name)) continue;
          files.push(made);
          // An earlier file of that name, which was deleted since, may have been damaged.
          damaged.delete(made.name);
          if (occasion === undefined) continue;
          const deleted = new Set(filesToDelete(files, { now, kept, made: made.name }));
          const left = files.filter(({ name }) => !deleted.has(name));
          const isLeft = ({ name }: BackupFile): boolean => !deleted.has(name);
          expect(isLeft(made)).toBe(true);
          // The new backup was read back.
          expect(left.some(({ name }) => !damaged.has(name))).toBe(true);
          expect(files.filter((file) => file.occasion === null).every(isLeft)).toBe(true);
          const past = newestFirst(
            files.filter(({ at, occasion: of }) => at <= now && of !== null),
          );
          for (const of of ['timed', 'asked', 'before'])
            expect(
              past
                .filter((file) => file.occasion === of)
                .slice(0, kept)
                .every(isLeft),
            ).toBe(true);
          for (let day = dayOf(now); kept > 0 && day > dayOf(now) - 7; day -= 1) {
            const [newest] = past.filter(({ at }) => dayOf(at) === day);
            expect(newest === undefined || isLeft(newest)).toBe(true);
          }
          // The disk does not fill up: as many again from the future.
          const automatic = left.filter((file) => file.occasion !== null);
          expect(automatic.length).toBeLessThanOrEqual(
            2 * (2 * kept + Math.max(kept, 1) + (kept > 0 ? 7 : 0)) + 1,
          );
          files = left;
          if (is_damaged_later) damaged.add(made.name);
        }
      },
    ),
    { numRuns: 500 },
  );
});

it('deletes the rest: the oldest beyond so many of an occasion that are not the newest of one of the last seven days', () => {
  const [first, second, third] = [0, 1, 2].map((hours) =>
    fileAt(new Date(START + hours * 3_600_000), 'timed'),
  );
  const old = fileAt(new Date(START - 8 * DAY_MS), 'timed');
  const byHand = fileAt(new Date(START - 30 * DAY_MS));
  const files = [old, byHand, first, second, third].flatMap((file) => file ?? []);
  expect(
    filesToDelete(files, {
      now: new Date(START + 3 * 3_600_000),
      kept: 1,
      made: third?.name ?? '',
    }).sort(),
  ).toEqual([old.name, first?.name, second?.name].sort());
});
