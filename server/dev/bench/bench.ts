import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBareHttp } from './bare/start.ts';
import { startLoad } from './load/start.ts';
import { progress } from './progress.ts';
import type { Row } from './row.ts';
import { adminClaims } from './rows/admin-claims.ts';
import { clear } from './rows/clear.ts';
import { comeBack } from './rows/come-back.ts';
import { discordClaims } from './rows/discord-claims.ts';
import { hangingReceivers } from './rows/hanging-receivers.ts';
import { polling } from './rows/polling.ts';
import { snapshot } from './rows/snapshot.ts';
import { stalls } from './rows/stalls.ts';
import { storm } from './rows/storm.ts';
import { submissions } from './rows/submissions.ts';
import { submissionsAlone } from './rows/submissions-alone.ts';
import { watchers } from './rows/watchers.ts';
import type { Sizes } from './sizes.ts';
import { createStand } from './stand.ts';
import type { Bench } from './what-rows-use.ts';

/** In this order: rows that need equal boards in both guilds before rows that add claims. */
export const rows: Readonly<
  Record<string, { what: string; measure: (bench: Bench) => Promise<Row[]> }>
> = {
  snapshot,
  polling,
  watchers,
  storm,
  'come-back': comeBack,
  alone: submissionsAlone,
  submissions,
  'discord-claims': discordClaims,
  'hanging-receivers': hangingReceivers,
  'admin-claims': adminClaims,
  stalls,
  clear,
};

function once<T>(make: () => Promise<T>): { get: () => Promise<T>; made: () => Promise<T> | null } {
  let made: Promise<T> | null = null;
  return {
    get: () => {
      made ??= make();
      return made;
    },
    made: () => made,
  };
}

/** Measures the named rows, then removes all files and processes. */
export async function runBench(
  sizes: Sizes,
  names: readonly string[],
  say: (line: string) => void,
): Promise<Row[]> {
  const { begin, step } = progress(names.length, say);
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-bench-'));
  const removeNow = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeNow);
  const load = await startLoad();
  const stand = (history: number, cleared: readonly number[]) =>
    once(() => {
      step(`a guild with ${history.toLocaleString('en')} claims of history`);
      return createStand(load, folder, { history, board: sizes.board, cleared });
    });
  const few = stand(sizes.few, []);
  const many = stand(
    sizes.many,
    sizes.cleared.flatMap((claims) => Array.from({ length: sizes.repeats }, () => claims)),
  );
  const bare = once(() => startBareHttp(folder));
  try {
    const bench: Bench = {
      sizes,
      folder,
      load,
      step,
      few: few.get,
      many: many.get,
      bare: bare.get,
    };
    const measured: Row[] = [];
    for (const name of names) {
      const row = rows[name];
      if (!row) continue;
      begin(row.what);
      measured.push(...(await row.measure(bench)));
    }
    return measured;
  } finally {
    for (const each of [few, many, bare]) await (await each.made()?.catch(() => null))?.stop();
    await load.stop();
    await rm(folder, { recursive: true, force: true });
    process.off('exit', removeNow);
  }
}
