/** The least time between two lines of one kind, in milliseconds. */
const EVERY_MS = 60_000;
/** Remember this many kinds by default: a kind may be an error's text, so their number must be bounded. */
const MAX_KINDS = 100;

interface LogLimitOptions {
  now?: () => number;
  /** Remember this many kinds; beyond it the oldest is forgotten, and its next line is written at once. */
  max_kinds?: number;
}

/**
 * Limits the log to one line of each kind a minute: clients and repeated failures could fill it.
 * @returns a function that calls `log` if a line of the kind may be written, with the number of lines omitted since the last
 */
export function createLogLimit({
  now = () => performance.now(),
  max_kinds = MAX_KINDS,
}: LogLimitOptions = {}): (kind: string, log: (left_out: number) => void) => void {
  const kinds = new Map<string, { at: number; left_out: number }>();
  return (kind, log) => {
    const last = kinds.get(kind);
    if (last && now() - last.at < EVERY_MS) {
      last.left_out += 1;
      return;
    }
    kinds.delete(kind);
    kinds.set(kind, { at: now(), left_out: 0 });
    const [oldest] = kinds.keys();
    if (kinds.size > max_kinds && oldest !== undefined) kinds.delete(oldest);
    log(last?.left_out ?? 0);
  };
}
