/** Told how many rows are done, of how many. */
export type Progress = (done: number, total: number) => void;

/** Nothing is said of what is done so soon, in milliseconds. */
const QUIET_MS = 2_000;
/** Between two lines, in milliseconds: over one another on a terminal, or for whoever shows them; else one under the other. */
const [SOON_MS, LATER_MS] = [500, 10_000];

/** Finds in a line how far it is. */
export const PROGRESS_SHARE = /: (\d+) % of \d+ rows/;

/**
 * Says how far it is, in a line that is written over on a terminal, and in a line now and then elsewhere.
 * @param often from the beginning, and twice a second: the server reads it
 */
export function sayProgress(
  what: string,
  out: { isTTY?: boolean; write: (text: string) => unknown },
  now = Date.now,
  often = false,
): Progress {
  let next = now() + (often ? 0 : QUIET_MS);
  let isSaid = false;
  return (done, total) => {
    const isOver = done === total && isSaid && out.isTTY;
    if (now() < next && !isOver) return;
    next = now() + (out.isTTY || often ? SOON_MS : LATER_MS);
    isSaid = true;
    const text = `${what}: ${total === 0 ? 100 : Math.floor((done / total) * 100)} % of ${total} rows`;
    out.write(out.isTTY ? `\r${text}${isOver ? '\n' : ''}` : `${text}\n`);
  };
}
