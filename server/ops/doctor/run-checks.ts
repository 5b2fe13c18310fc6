import { Worker } from 'node:worker_threads';
import { CHECK_NAMES, type CheckName } from '../../../shared/rules/findings.ts';
import type { Env } from '../../env.ts';
import type { Finding, Result } from './check.ts';

const WORKER = new URL('./worker.ts', import.meta.url);
/** How long the worker may take until the first check, in seconds. */
const START_TIMEOUT_S = 60;
/** Beyond a check's own limit, in seconds: what it waits for has limits too, and says more. */
const GRACE_S = 2;

/** What the worker is started with. */
export interface Order {
  env: Env;
  names: readonly CheckName[];
  /** Findings of earlier workers. */
  found: readonly Finding[];
  /** The server's time, in milliseconds. */
  now: number;
}

/** What the worker posts: the check it begins and its time limit, or a finding. */
export type Progress = { begun: CheckName; within_s: number } | Finding;

export interface RunOptions {
  env: Env;
  now: () => Date;
  signal?: AbortSignal;
  /** For tests. */
  worker?: URL;
}

/**
 * Runs all checks in a worker thread. If a check takes too long or ends the thread, that is its finding, and another thread runs
 * the others.
 * @throws if it is aborted
 */
export async function* runChecks({ env, now, signal, worker = WORKER }: RunOptions): AsyncGenerator<Progress> {
  const found: Finding[] = [];
  for (let names: readonly CheckName[] = CHECK_NAMES; names.length > 0; ) {
    const left = new Set(names);
    let current: CheckName = names[0] ?? 'settings';
    const run = runInThread(worker, { env, names, found: [...found], now: now().getTime() }, signal);
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

/** @returns why the check under way has no finding, if the thread ended too early */
async function* runInThread(script: URL, order: Order, signal?: AbortSignal): AsyncGenerator<Progress, Result> {
  // Without this process's own options, such as a test's loader.
  const worker = new Worker(script, { workerData: order, execArgv: [] });
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
    timer = setTimeout(() => end({ finding: 'tookTooLong', params: { seconds } }), (seconds + GRACE_S) * 1_000);
  };
  const abort = (): void => end({ finding: 'broke', params: { reason: 'aborted' } });
  worker.on('message', (progress: Progress) => {
    if ('begun' in progress) limit(progress.within_s);
    posted.push(progress);
    wake();
  });
  worker.on('error', (error) => end({ finding: 'broke', params: { reason: String(error).split('\n', 1)[0] ?? '' } }));
  worker.on('exit', (code) => end({ finding: 'broke', params: { reason: `it ended with ${code}` } }));
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
    // Not awaited: a statement of SQLite cannot be interrupted, and ends on its own.
    void worker.terminate();
  }
}
