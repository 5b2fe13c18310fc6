import { askJob } from '../load/jobs.ts';
import type { Load } from '../load/start.ts';
import type { Subject } from '../subject.ts';

/** Milliseconds that a request may hold the event loop, whatever there is. */
export const MOST_HELD_MS = 50;

/** What other programs on the machine do to the loop: the same look at a request that asks for nothing. */
export const heldByNothing = (load: Load, subject: Subject): Promise<number> =>
  subject.longestStall(() => load.run(askJob, { url: `${subject.url}/healthz` }));

export const HELD_BESIDE = 'a request for nothing';
