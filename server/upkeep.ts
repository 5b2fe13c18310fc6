import { forgetEntries, forgetUndos } from './activity/forget.ts';
import { archiveSome } from './archive/move.ts';
import type { Context } from './context.ts';
import { DatabaseAway } from './db/failures.ts';

/** The pauses between two small pieces of work, and between two looks for some, in milliseconds. */
export interface Pace {
  pause_ms: number;
  look_every_ms: number;
}
const PACE: Pace = { pause_ms: 5_000, look_every_ms: 60_000 };

/**
 * Archives and forgets a little of what the settings say is old, each in a small write of its own.
 * @returns whether there was something to do
 */
export async function tidyUp(ctx: Context): Promise<boolean> {
  let isBusy = false;
  for (const some of [archiveSome, forgetEntries, forgetUndos]) isBusy = (await some(ctx)) || isBusy;
  return isBusy;
}

/** Tidies up bit by bit for as long as the server runs: of a backlog of years, too, the others hardly notice. @returns a function that stops it */
export function watchUpkeep(ctx: Context, { pause_ms, look_every_ms }: Pace = PACE): () => void {
  let timer: NodeJS.Timeout;
  let isStopped = false;
  const next = (ms: number): void => {
    if (!isStopped) timer = setTimeout(() => void tidy(), ms);
  };
  const tidy = async (): Promise<void> => {
    let isBusy = false;
    try {
      isBusy = await tidyUp(ctx);
    } catch (error) {
      // That the database is away has been said.
      if (!(error instanceof DatabaseAway)) ctx.log.error({ err: error }, 'what is old could not be tidied up');
    }
    next(isBusy ? pause_ms : look_every_ms);
  };
  next(pause_ms);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
