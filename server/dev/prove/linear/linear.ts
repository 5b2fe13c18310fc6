import type { Proof } from '../proof.ts';
import { openPlace, type Place } from '../storm/place.ts';
import { checkHistories } from './histories.ts';

/** Each engine runs so many; on PostgreSQL on two servers. */
export const linear: Proof = {
  summary: 'racing calls for a spot and day: one order explains all answers',
  unit: 'histories on each engine',
  long: 2_000,
  run: async ({ seed, runs, say }) => {
    const on = async (engine: Place['engine'], servers: number) => {
      const place = await openPlace(engine, { servers });
      try {
        const name = servers === 1 ? engine : `${engine} with ${servers} servers`;
        return await checkHistories({ engine: name, urls: place.urls, seed, histories: runs, say });
      } finally {
        await place.close();
      }
    };
    return [await on('sqlite', 1), await on('postgres', 1), await on('postgres', 2)];
  },
};
