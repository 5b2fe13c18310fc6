/** Between two lines of one kind, in milliseconds. */
const EVERY_MS = 60_000;
/** Kinds that are remembered; a caller may make them of what somebody sent. */
const MAX_KINDS = 100;

/**
 * Bounds what anybody can make the server log: one line of each kind a minute.
 * @returns a function that calls `log` where a line of the kind may be written, with how many were left out since the last
 */
export function createLogLimit(now: () => number = () => performance.now()): (kind: string, log: (left_out: number) => void) => void {
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
    if (kinds.size > MAX_KINDS && oldest !== undefined) kinds.delete(oldest);
    log(last?.left_out ?? 0);
  };
}
