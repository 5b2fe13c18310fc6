import { startBareLive } from '../bare/start.ts';
import { clockOf } from '../clock-of.ts';
import { askJob, closeJob, openJob, tellAllJob } from '../load/jobs.ts';
import { keyOf } from '../numbered-claim.ts';
import { measureAlternately } from '../repeat.ts';
import { type Row, rowOf } from '../row.ts';
import type { Bench } from '../what-rows-use.ts';

const TIMES = 4;
/** The share of watchers that ask for a snapshot at the moment of the change, in the second row. */
const SYNCING_SHARE = 0.05;

async function measure({ load, sizes, step, ...bench }: Bench): Promise<Row[]> {
  const stand = await bench.few();
  const { url } = await stand.subject();
  const { bytes, text } = await load.run(askJob, {
    url: `${url}/api/snapshot`,
    headers: { 'x-access-key': keyOf(0) },
  });
  step(`${sizes.watchers.toLocaleString('en')} watchers come`);
  await load.run(openJob, { url, count: sizes.watchers, sync: clockOf(text) });
  const change = await load.run(tellAllJob, { ...(await stand.take('event', 1)), syncing: 0 });
  const bare = await startBareLive({ board: bytes, change: change.bytes });
  try {
    await load.run(openJob, { url: bare.url, count: sizes.watchers, sync: 'connected' });
    const last = (syncing: number) => [
      async () =>
        (await load.run(tellAllJob, { ...(await stand.take('event', 1)), syncing })).last_ms,
      async () =>
        (await load.run(tellAllJob, { ...(await stand.take('event', 0)), url: bare.url, syncing }))
          .last_ms,
    ];
    const is = 'bare ws';
    const row = async (what: string, syncing: number): Promise<Row> => {
      step(what);
      const [value = 0, beside = 0] = await measureAlternately(
        sizes.repeats * TIMES,
        ...last(syncing),
      );
      return rowOf({
        what,
        unit: 'ms',
        value,
        beside: { value: beside, is },
        reach: { ratio: { at: 'most', be: 1.3 } },
      });
    };
    const syncing = Math.ceil(sizes.watchers * SYNCING_SHARE);
    const all = `${sizes.watchers.toLocaleString('en')} watchers, one change, until the last screen has it`;
    const measured = [
      await row(all, 0),
      await row(
        `the same while ${syncing.toLocaleString('en')} of them sync from nothing`,
        syncing,
      ),
    ];
    for (const crowd of [url, bare.url]) await load.run(closeJob, { url: crowd });
    return measured;
  } finally {
    await bare.stop();
  }
}

export const watchers = { what: 'a change to all watchers', measure };
