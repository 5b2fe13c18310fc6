import { clockOf } from '../clock-of.ts';
import { askJob, closeJob, followJob, openJob, reachedJob } from '../load/jobs.ts';
import { submitOne } from '../load/submit.ts';
import { keyOf } from '../numbered-claim.ts';
import { type Row, rowOf } from '../row.ts';
import type { Stand } from '../stand.ts';
import type { Bench } from '../what-rows-use.ts';
import { HELD_BESIDE, heldByNothing, MAX_HELD_MS } from './held.ts';

const CHANGES_PER_SECOND = 60;
/** Every watcher must have the last change within this time, in milliseconds. */
const MAX_LAG_MS = 2_000;

/** Submits at a fixed rate, however long responses take. @returns when the last one was sent, by `Date.now()`, and the slowest response */
async function submitSteadily(
  stand: Stand,
  count: number,
): Promise<{ lastSentAt: number; slowest_ms: number }> {
  const submissions = await stand.take('event', count);
  const since = performance.now();
  const answers: Promise<number>[] = [];
  for (let n = 0; n < count; n += 1) {
    const wait = since + (n * 1_000) / CHANGES_PER_SECOND - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    answers.push(submitOne({ ...submissions, from: submissions.from + n }));
  }
  const lastSentAt = Date.now();
  return { lastSentAt, slowest_ms: Math.max(...(await Promise.all(answers))) };
}

async function measure({ load, sizes, step, ...bench }: Bench): Promise<Row[]> {
  const stand = await bench.few();
  const subject = await stand.subject();
  const { url } = subject;
  const clock = async (): Promise<number> =>
    clockOf(
      (
        await load.run(askJob, {
          url: `${url}/api/snapshot`,
          headers: { 'x-access-key': keyOf(0) },
        })
      ).text,
    );
  const count = sizes.storm_seconds * CHANGES_PER_SECOND;
  const rows: Row[] = [];
  for (const crowd of sizes.crowds) {
    step(`${crowd.toLocaleString('en')} watchers, ${CHANGES_PER_SECOND} changes a second`);
    await load.run(openJob, { url, count: crowd, sync: await clock() });
    await load.run(followJob, { url });
    const nothing = await heldByNothing(load, subject);
    let slowest_ms = 0;
    let behind_ms = 0;
    let followed = { gone: 0, gaps: 0, messages: 0 };
    const longest_ms = await subject.longestStall(async () => {
      const sent = await submitSteadily(stand, count);
      const { at, ...seen } = await load.run(reachedJob, { url, clock: await clock() });
      slowest_ms = sent.slowest_ms;
      behind_ms = at - sent.lastSentAt;
      followed = seen;
    });
    await load.run(closeJob, { url });
    const what = `${crowd.toLocaleString('en')} watchers, ${CHANGES_PER_SECOND} changes a second`;
    const { gone, gaps, messages } = followed;
    rows.push(
      rowOf({
        what: `${what}: longest block of the event loop`,
        unit: 'ms',
        value: longest_ms,
        beside: { value: nothing, is: HELD_BESIDE, compared: false },
        reach: { value: { at: 'most', be: MAX_HELD_MS } },
      }),
      rowOf({
        what: 'the same, until the last screen has the last change',
        unit: 'ms',
        value: behind_ms,
        beside: { value: slowest_ms, is: 'the slowest answer', compared: false },
        reach: {
          value: { at: 'most', be: MAX_LAG_MS },
          also: { is: 'nobody cut off, no gap', holds: gone + gaps === 0 },
        },
        note: `${count} changes in ${messages} messages, ${gone} cut off, ${gaps} gaps`,
      }),
    );
  }
  return rows;
}

export const storm = { what: 'many changes a second to all watchers', measure };
