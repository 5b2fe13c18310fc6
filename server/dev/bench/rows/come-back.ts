import { startBareLive } from '../bare/start.ts';
import { clockOf } from '../clock-of.ts';
import { askJob, closeJob, comeBackJob, openJob } from '../load/jobs.ts';
import { keyOf } from '../numbered-claim.ts';
import { measureAlternately } from '../repeat.ts';
import { type Row, rowOf } from '../row.ts';
import type { Bench } from '../what-rows-use.ts';

async function measure({ load, sizes, step, ...bench }: Bench): Promise<Row[]> {
  const stand = await bench.few();
  const count = sizes.watchers;
  let resets = 0;
  let bareResets = 0;
  const ours = async (): Promise<number> => {
    const before = await stand.subject();
    const { text } = await load.run(askJob, {
      url: `${before.url}/api/snapshot`,
      headers: { 'x-access-key': keyOf(0) },
    });
    const clock = clockOf(text);
    await stand.stop();
    const { url } = await stand.subject();
    step(`${count.toLocaleString('en')} browsers come back at once`);
    const { ms, resets: broken } = await load.run(comeBackJob, { url, count, clock });
    await load.run(closeJob, { url });
    resets += broken;
    return ms;
  };
  const bare = async (): Promise<number> => {
    const { url, stop } = await startBareLive({ board: 0, change: 0 });
    const { ms, resets: broken } = await load.run(openJob, { url, count, sync: 'connected' });
    await load.run(closeJob, { url });
    await stop();
    bareResets += broken;
    return ms;
  };
  const [beside = 0, value = 0] = await measureAlternately(sizes.repeats, bare, ours);
  return [
    rowOf({
      what: `${count.toLocaleString('en')} browsers coming back at once after a restart, until the last is live`,
      unit: 'ms',
      value,
      beside: { value: beside, is: 'bare ws, only opened' },
      reach: { ratio: { at: 'most', be: 2 }, also: { is: 'no reset', holds: resets === 0 } },
      note: `${resets} resets, bare ${bareResets}`,
    }),
  ];
}

export const comeBack = { what: 'browsers coming back after a restart', measure };
