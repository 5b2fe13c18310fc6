import { askJob } from '../load/jobs.ts';
import { measureAlternately } from '../repeat.ts';
import { type Row, rowOf } from '../row.ts';
import type { Bench } from '../what-rows-use.ts';
import { HELD_BESIDE, heldByNothing, MAX_HELD_MS } from './held.ts';

async function measure({ load, sizes, ...bench }: Bench): Promise<Row[]> {
  const stand = await bench.many();
  const subject = await stand.subject();
  const request = { url: `${subject.url}/api/admin/claims`, headers: await stand.admin() };
  let answered = { status: 0, bytes: 0, ms: 0 };
  const [value = 0, beside = 0] = await measureAlternately(
    sizes.repeats,
    () =>
      subject.longestStall(async () => {
        answered = await load.run(askJob, request);
      }),
    () => heldByNothing(load, subject),
  );
  const { status, bytes, ms } = answered;
  return [
    rowOf({
      what: `GET /admin/claims, ${sizes.many.toLocaleString('en')} claims: longest block of the event loop`,
      unit: 'ms',
      value,
      beside: { value: beside, is: HELD_BESIDE, compared: false },
      reach: {
        value: { at: 'most', be: MAX_HELD_MS },
        also: { is: 'answered', holds: status === 200 },
      },
      note: `${status}, ${(bytes / 1e6).toFixed(1)} MB after ${Math.round(ms)} ms`,
    }),
  ];
}

export const adminClaims = { what: 'the list of all claims', measure };
