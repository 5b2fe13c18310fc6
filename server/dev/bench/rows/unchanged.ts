import { refreshJob } from '../load/jobs.ts';
import { keyOf } from '../numbered-claim.ts';
import { measureAlternately } from '../repeat.ts';
import { type Row, rowOf } from '../row.ts';
import type { Bench } from '../what-rows-use.ts';

async function measure({ load, sizes, ...bench }: Bench): Promise<Row[]> {
  const [few, bare] = [await bench.few(), await bench.bare()];
  const { url } = await few.subject();
  const refresh = (of: string) => async (): Promise<number> =>
    (await load.run(refreshJob, { url: of, key: keyOf(0), seconds: sizes.seconds })).per_second;
  const [value = 0, beside = 0] = await measureAlternately(sizes.repeats, refresh(url), refresh(bare.url));
  return [
    rowOf({
      what: 'refreshes of an unchanged board (304)',
      unit: 'a second',
      value,
      beside: { value: beside, is: 'bare Express' },
      reach: { value: { at: 'least', be: 5_000 } },
    }),
  ];
}

export const unchanged = { what: 'refreshes of an unchanged board', measure };
