import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const SERVER = path.resolve(import.meta.dirname, '../..');
const ASIDE = /(^|\/)(test|bench|prove|migrations)\/|\.test\.ts$/;
/** Where claims or their hours are taken away. Each notes it, or whoever calls it does, for those who wait. */
const PLACES = ['board/claims/change-times.ts', 'board/claims/delete.ts', 'board/claims/occupancy.ts', 'board/claims/release.ts'];

it('hours come free in few places, and each tells those who wait for them', async () => {
  const files = (await readdir(SERVER, { recursive: true })).filter((file) => file.endsWith('.ts') && !ASIDE.test(file));
  const frees = await Promise.all(
    files.map(
      async (file) => [file, /deleteFrom\('(occupied_hours|claims)'\)/.test(await readFile(path.join(SERVER, file), 'utf8'))] as const,
    ),
  );
  expect(frees.flatMap(([file, does]) => (does ? [file] : [])).sort()).toEqual(PLACES);
});
