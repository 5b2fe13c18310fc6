import { submitAloneJob } from '../load/jobs.ts';
import { measureAlternately } from '../repeat.ts';
import { type Row, rowOf } from '../row.ts';
import type { Stand } from '../stand.ts';
import type { Bench } from '../what-rows-use.ts';

async function measure({ load, sizes, ...bench }: Bench): Promise<Row[]> {
  const few = await bench.few();
  const many = await bench.many();
  const { url } = await bench.bare();
  const count = sizes.alone;
  const alone = async (stand: Stand): Promise<number> =>
    (await load.run(submitAloneJob, { ...(await stand.take('event', count)), count })).ms;
  const [bare = 0, value = 0, withHistory = 0] = await measureAlternately(
    sizes.repeats,
    async () =>
      (await load.run(submitAloneJob, { ...(await few.take('event', 0)), url, count })).ms,
    () => alone(few),
    () => alone(many),
  );
  return [
    rowOf({
      what: 'one submission alone',
      unit: 'ms',
      value,
      beside: { value: bare, is: 'bare Express and better-sqlite3' },
      reach: { value: { at: 'most', be: 1.5 } },
    }),
    rowOf({
      what: `the same with ${sizes.many.toLocaleString('en')} claims of history`,
      unit: 'ms',
      value: withHistory,
      beside: { value, is: `itself with ${sizes.few.toLocaleString('en')}` },
      reach: { ratio: { at: 'most', be: 1.2 } },
    }),
  ];
}

export const submissionsAlone = { what: 'one submission after the other', measure };
