import { afterAll } from 'vitest';
import { atEndOfFile } from './databases.ts';

// Runs for each file of tests, also where files share their modules.
afterAll(async () => {
  const drops = [...atEndOfFile];
  atEndOfFile.clear();
  await Promise.all(drops.map((drop) => drop()));
});
