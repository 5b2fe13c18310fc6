/** The mutated files: the rules, and the path of every write. */
export const MUTATED: readonly string[] = [
  'shared/rules/*.ts',
  '!shared/rules/*.test.ts',
  'server/db/unit-of-work.ts',
  'server/db/write-queue.ts',
  'server/db/fair-queue.ts',
];

/** The tests that must notice it: those beside these files. */
export const TESTS: readonly string[] = [
  'shared/rules/*.test.ts',
  'server/db/{unit-of-work,change-set,write-queue,fair-queue}.test.ts',
];
