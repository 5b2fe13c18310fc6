/** Called with the rows that are done, and all rows. */
export type Progress = (done: number, total: number) => void;

/** Don't print progress for operations faster than this, in milliseconds. */
const PROGRESS_DELAY_MS = 2_000;
/** Between two lines, in milliseconds: on a terminal or for the server, and in a file. */
const SHORT_INTERVAL_MS = 500;
const LONG_INTERVAL_MS = 10_000;

/** Matches a line of progress. */
export const PROGRESS_LINE = /: (\d+) % of \d+ rows/;

/**
 * Prints the progress: on a terminal in one line, elsewhere in a line now and then.
 * @param often from the start, and twice a second, for the server
 */
export function printProgress(
  what: string,
  out: { isTTY?: boolean; write: (text: string) => unknown },
  { often = false }: { often?: boolean } = {},
): Progress {
  let next = Date.now() + (often ? 0 : PROGRESS_DELAY_MS);
  let isPrinted = false;
  return (done, total) => {
    const isDone = done === total && isPrinted && out.isTTY;
    if (Date.now() < next && !isDone) return;
    next = Date.now() + (out.isTTY || often ? SHORT_INTERVAL_MS : LONG_INTERVAL_MS);
    isPrinted = true;
    const text = `${what}: ${total === 0 ? 100 : Math.floor((done / total) * 100)} % of ${total} rows`;
    out.write(out.isTTY ? `\r${text}${isDone ? '\n' : ''}` : `${text}\n`);
  };
}
