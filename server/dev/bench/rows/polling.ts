import { pollJob } from '../load/jobs.ts';
import { keyOf } from '../numbered-claim.ts';
import { type Row, rowOf } from '../row.ts';
import type { Bench } from '../what-rows-use.ts';

/** Pages without a live connection, each of which polls every 10 s. */
const PAGES = 1_000;
const POLLS_A_SECOND = PAGES / 10;

async function measure({ load, ...bench }: Bench): Promise<Row[]> {
  const few = await bench.few();
  const { url } = await few.subject();
  const { changed, unchanged } = await load.run(pollJob, { url, key: keyOf(0) });
  const kB = ({ wire_bytes }: { wire_bytes: number }): number =>
    Math.round((wire_bytes * POLLS_A_SECOND) / 1_000);
  return [
    rowOf({
      what: `requests of ${PAGES.toLocaleString('en')} polling pages, the board unchanged`,
      unit: 'a second',
      value: unchanged.requests * POLLS_A_SECOND,
      beside: { value: changed.requests * POLLS_A_SECOND, is: 'the board changed' },
      reach: { value: { at: 'most', be: POLLS_A_SECOND } },
      note: `${kB(unchanged)} kB a second, changed ${kB(changed).toLocaleString('en')}`,
    }),
  ];
}

export const polling = { what: 'pages without a live connection', measure };
