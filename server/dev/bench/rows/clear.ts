import { askJob } from '../load/jobs.ts';
import { median } from '../repeat.ts';
import { type Row, rowOf } from '../row.ts';
import type { Bench } from '../what-rows-use.ts';
import { HELD_BESIDE, heldByNothing, MAX_HELD_MS } from './held.ts';

async function measure({ load, sizes, step, ...bench }: Bench): Promise<Row[]> {
  const stand = await bench.many();
  const subject = await stand.subject();
  const headers = await stand.admin();
  const send = async (url: string, method: string): Promise<number> => {
    const { status, text, ms } = await load.run(askJob, { url, method, headers });
    if (status !== 200) throw new Error(`${method} ${url}: ${status} ${text}`);
    return ms;
  };
  // While an event is active, only its claims are deleted.
  await send(`${subject.url}/api/events/${stand.guild.event_id}/deactivate`, 'POST');
  const spots = [...stand.guild.cleared_spots];
  const rows: Row[] = [];
  for (const claims of sizes.cleared) {
    const what = `clearing a spot with ${claims.toLocaleString('en')} claims`;
    step(what);
    const taken: Record<'ours' | 'held' | 'nothing', number[]> = {
      ours: [],
      held: [],
      nothing: [],
    };
    for (const spot of spots.splice(0, sizes.repeats)) {
      const clearing = async (): Promise<unknown> =>
        taken.ours.push(await send(`${subject.url}/api/claims/admin/respawn/${spot}`, 'DELETE'));
      taken.held.push(await subject.longestStall(clearing));
      taken.nothing.push(await heldByNothing(load, subject));
    }
    rows.push(
      rowOf({
        what,
        unit: 'ms',
        value: median(taken.ours),
        beside: null,
        reach: { value: { at: 'most', be: 500 } },
      }),
    );
    rows.push(
      rowOf({
        what: 'longest block of the event loop meanwhile',
        unit: 'ms',
        value: median(taken.held),
        beside: { value: median(taken.nothing), is: HELD_BESIDE, compared: false },
        reach: { value: { at: 'most', be: MAX_HELD_MS } },
      }),
    );
  }
  await send(`${subject.url}/api/events/${stand.guild.event_id}/activate`, 'POST');
  return rows;
}

export const clear = { what: 'clearing spots', measure };
