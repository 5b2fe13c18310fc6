import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../ask.ts';

const TRY_EVERY_MS = 20;
/** A spot that no writer claims; put into the category in which it is, it changes nothing but the clock. */
const PROBED = 9;

/**
 * Waits until every server says that it is ready, and reads and writes.
 * @returns after how long the last one did, and which did not in time
 */
export async function servedAgain(
  urls: readonly string[],
  token: string,
  limit_ms: number,
): Promise<{ after_ms: number; failed: string[] }> {
  const began = performance.now();
  const untilServed = async (url: string): Promise<string[]> => {
    for (;;) {
      const left = Math.max(began + limit_ms - performance.now(), 1);
      const why = await whyNot(url, token, AbortSignal.timeout(Math.ceil(left)));
      if (why === null) return [];
      if (performance.now() - began > limit_ms)
        return [`a server does not serve again after ${limit_ms} ms: ${why}`];
      await pause(TRY_EVERY_MS);
    }
  };
  const failed = (await Promise.all(urls.map(untilServed))).flat();
  return { after_ms: performance.now() - began, failed };
}

/** Why a server does not serve; null: it does. */
async function whyNot(url: string, token: string, signal: AbortSignal): Promise<string | null> {
  const ready = await fetch(`${url}/readyz`, { signal }).then(
    (answer) => answer.status,
    (error: unknown) => String(error),
  );
  if (ready !== 200) return `/readyz ${ready}`;
  const headers = { Authorization: `Bearer ${token}` };
  const read = await ask(url, { path: '/respawns', headers, signal });
  if (!read.isAnswered || read.status !== 200) return `the board: ${JSON.stringify(read)}`;
  const put = {
    method: 'PUT' as const,
    path: `/admin/respawns/${PROBED}/category`,
    headers,
    body: { category_id: 1 },
    signal,
  };
  const written = await ask(url, put);
  return written.isAnswered && written.status === 200
    ? null
    : `a write: ${JSON.stringify(written)}`;
}
