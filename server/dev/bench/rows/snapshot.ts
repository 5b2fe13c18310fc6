import { askJob, submitAloneJob } from '../load/jobs.ts';
import { keyOf, type Lane } from '../numbered-claim.ts';
import { measureAlternately } from '../repeat.ts';
import { type Row, rowOf } from '../row.ts';
import type { Stand } from '../stand.ts';
import type { Bench } from '../what-rows-use.ts';

const TIMES = 5;

async function measure({ load, sizes, ...bench }: Bench): Promise<Row[]> {
  const few = await bench.few();
  const many = await bench.many();
  /** Right after a change, so that no snapshot in memory can be reused. */
  const after = async (stand: Stand, lane: Lane): Promise<number> => {
    const change = await stand.take(lane, 1);
    await load.run(submitAloneJob, { ...change, count: 1 });
    const headers = { 'x-access-key': keyOf(0), 'accept-encoding': 'gzip' };
    const { status, ms } = await load.run(askJob, { url: `${change.url}/api/snapshot`, headers });
    if (status !== 200) throw new Error(`the board was answered ${status}`);
    return ms;
  };
  const both = async (lane: Lane, when: string): Promise<Row> => {
    // The first one is a warm-up and does not count.
    for (const stand of [few, many]) await after(stand, lane);
    const [without = 0, value = 0] = await measureAlternately(
      sizes.repeats * TIMES,
      () => after(few, lane),
      () => after(many, lane),
    );
    return rowOf({
      what: `a snapshot after a change, ${sizes.many.toLocaleString('en')} claims of history, ${when}`,
      unit: 'ms',
      value,
      beside: { value: without, is: `itself with ${sizes.few.toLocaleString('en')}` },
      reach: { ratio: { at: 'most', be: 1.2 } },
    });
  };
  const set = async (action: 'activate' | 'deactivate'): Promise<void> => {
    for (const stand of [few, many]) {
      const { url } = await stand.subject();
      await load.run(askJob, {
        url: `${url}/api/events/${stand.guild.event_id}/${action}`,
        method: 'POST',
        headers: await stand.admin(),
      });
    }
  };
  const during = await both('event', 'an event active');
  await set('deactivate');
  const without = await both('no event', 'no event active');
  await set('activate');
  return [during, without];
}

export const snapshot = { what: 'snapshots after a change', measure };
