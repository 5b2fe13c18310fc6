import { askJob } from '../load/jobs.ts';
import type { Load } from '../load/start.ts';
import type { Subject } from '../subject.ts';

/** How long any request may block the event loop, in milliseconds. */
export const MAX_HELD_MS = 50;

/** The baseline: the same measurement with a request that does nothing, which shows what other programs do to the loop. */
export const heldByNothing = (load: Load, subject: Subject): Promise<number> =>
  subject.longestStall(() => load.run(askJob, { url: `${subject.url}/healthz` }));

export const HELD_BESIDE = 'a request for nothing';
