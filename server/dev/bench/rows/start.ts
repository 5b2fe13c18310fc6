import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startBareHttp } from '../bare/start.ts';
import { ask } from '../load/poster.ts';
import type { Program } from '../program.ts';
import { measureAlternately } from '../repeat.ts';
import { type Row, rowOf } from '../row.ts';
import { startSubject } from '../subject.ts';
import type { Bench } from '../what-rows-use.ts';

const AGAIN_AFTER_MS = 5;

/** The time from spawning the process until `/readyz` answers 200, in milliseconds. */
async function untilReady(start: () => Promise<Program>): Promise<number> {
  const since = performance.now();
  const { url, stop } = await start();
  while ((await ask(`${url}/readyz`, { keep: false })).status !== 200)
    await new Promise((done) => setTimeout(done, AGAIN_AFTER_MS));
  const ms = performance.now() - since;
  await stop();
  return ms;
}

async function measure({ sizes, step, folder, ...bench }: Bench): Promise<Row[]> {
  const few = await bench.few();
  const many = await bench.many();
  for (const stand of [few, many]) await stand.stop();
  const bareFolder = path.join(folder, 'bare-start');
  await mkdir(bareFolder);
  const ours = (data_dir: string) => (): Promise<number> =>
    untilReady(() => startSubject({ data_dir, watch: false }));
  step('starting');
  const [bare = 0, ...values] = await measureAlternately(
    sizes.starts,
    () => untilReady(() => startBareHttp(bareFolder)),
    ours(few.guild.data_dir),
    ours(many.guild.data_dir),
  );
  return [sizes.few, sizes.many].map((history, at) =>
    rowOf({
      what: `start of the server, ${history.toLocaleString('en')} claims of history`,
      unit: 'ms',
      value: values[at] ?? 0,
      beside: { value: bare, is: 'bare Express and better-sqlite3' },
      reach: { ratio: { at: 'most', be: 3 } },
    }),
  );
}

export const start = { what: 'the start of the server', measure };
