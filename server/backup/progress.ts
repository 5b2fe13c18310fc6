/** Told how many rows are done, of how many. */
export type Progress = (done: number, total: number) => void;

/** Nothing is said of what is done so soon, in milliseconds. */
const QUIET_MS = 2_000;

/** Says how far it is, in a line that is written over on a terminal, and in a line now and then elsewhere. */
export function sayProgress(what: string, out: { isTTY?: boolean; write: (text: string) => unknown }, now = Date.now): Progress {
  let next = now() + QUIET_MS;
  let isSaid = false;
  return (done, total) => {
    const isOver = done === total && isSaid && out.isTTY;
    if (now() < next && !isOver) return;
    next = now() + (out.isTTY ? 500 : 10_000);
    isSaid = true;
    const text = `${what}: ${total === 0 ? 100 : Math.floor((done / total) * 100)} % of ${total} rows`;
    out.write(out.isTTY ? `\r${text}${isOver ? '\n' : ''}` : `${text}\n`);
  };
}
