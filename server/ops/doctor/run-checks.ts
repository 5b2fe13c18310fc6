import { fork } from 'node:child_process';
import { CHECK_NAMES, type CheckName } from '../../../shared/rules/findings.ts';
import { childEnvironment } from '../../db/child-environment.ts';
import type { Env } from '../../env.ts';
import type { Finding, Result } from './check.ts';

const WORKER = new URL('./worker.ts', import.meta.url);
/** How long the process may take until the first check, in seconds. */
const START_TIMEOUT_S = 60;
/** Beyond a check's own limit, in seconds: what it waits for has limits too, and says more. */
const GRACE_S = 2;

/** The message that the process begins with. */
export interface Order {
  env: Env;
  notifyingJobs: readonly string[];
  names: readonly CheckName[];
  /** Findings of earlier processes. */
  found: readonly Finding[];
  /** How far the time to check by is ahead of this machine's, in milliseconds; null: measure the database's, and send it. */
  ahead_ms: number | null;
}

/** The messages of the process: the check it starts with its time limit, or a finding. */
export type Progress = { begun: CheckName; within_s: number } | Finding;

/** Also how far the database's clock is ahead, or why the process gives up. */
export type Message = Progress | { ahead_ms: number } | { error: string };

export interface RunOptions extends Pick<Order, 'env' | 'notifyingJobs'> {
  /** The server's time; without it the database's. */
  now?: () => Date;
  signal?: AbortSignal;
  /** For tests. */
  worker?: URL;
}

/**
 * Runs all checks in a child process. If a check takes too long or ends the process, that is its finding, and another process runs
 * the others.
 * @throws if it is aborted
 */
export async function* runChecks({
  env,
  notifyingJobs,
  now,
  signal,
  worker = WORKER,
}: RunOptions): AsyncGenerator<Progress> {
  const found: Finding[] = [];
  let measured_ms: number | null = null;
  for (let names: readonly CheckName[] = CHECK_NAMES; names.length > 0; ) {
    const left = new Set(names);
    let current: CheckName = names[0] ?? 'settings';
    const ahead_ms: number | null = now ? now().getTime() - Date.now() : measured_ms;
    const order: Order = { env, notifyingJobs, names, found: [...found], ahead_ms };
    const run = runInChildProcess(worker, order, {
      signal,
      onMeasured: (ms) => (measured_ms = ms),
    });
    let next = await run.next();
    for (; !next.done; next = await run.next()) {
      if ('begun' in next.value) current = next.value.begun;
      else {
        found.push(next.value);
        left.delete(next.value.name);
      }
      yield next.value;
    }
    signal?.throwIfAborted();
    if (left.size > 0) {
      const lost: Finding = { name: current, ...next.value };
      found.push(lost);
      left.delete(current);
      yield lost;
    }
    names = [...left];
  }
}

/**
 * A thread could not be ended during a statement of SQLite, and would delay the exit of this process until then.
 * @returns why the check under way has no finding, if the process ended too early
 */
async function* runInChildProcess(
  script: URL,
  order: Order,
  {
    signal,
    onMeasured,
  }: { signal: AbortSignal | undefined; onMeasured: (ahead_ms: number) => void },
): AsyncGenerator<Progress, Result> {
  // Without this process's own options, such as a test's loader.
  const child = fork(script, { execArgv: [], env: childEnvironment() });
  const posted: Progress[] = [];
  let ended: Result | null = null;
  let wake = (): void => {};
  const end = (result: Result): void => {
    ended ??= result;
    wake();
  };
  let timer: NodeJS.Timeout | undefined;
  const limit = (seconds: number): void => {
    clearTimeout(timer);
    timer = setTimeout(
      () => end({ finding: 'tookTooLong', params: { seconds } }),
      (seconds + GRACE_S) * 1_000,
    );
  };
  const abort = (): void => broke('aborted');
  const broke = (reason: string): void =>
    end({ finding: 'broke', params: { reason: reason.split('\n', 1)[0] ?? '' } });
  child.on('message', (message: Message) => {
    if ('error' in message) return broke(message.error);
    if ('ahead_ms' in message) return onMeasured(message.ahead_ms);
    if ('begun' in message) limit(message.within_s);
    posted.push(message);
    wake();
  });
  child.on('error', (error) => broke(String(error)));
  // After all of its messages, unlike `exit`.
  child.on('close', (code, killedBy) => broke(`it ended with ${code ?? killedBy}`));
  // If it ended before it could read, that is the finding.
  child.send(order, () => {});
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  limit(START_TIMEOUT_S);
  try {
    for (;;) {
      const progress = posted.shift();
      if (progress) yield progress;
      else if (ended) return ended;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    child.kill('SIGKILL');
  }
}
