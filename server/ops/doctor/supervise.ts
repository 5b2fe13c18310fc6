import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { CHECK_NAMES, type CheckName } from '../../../shared/rules/findings.ts';
import type { Env } from '../../env.ts';
import { childEnvironment } from '../child-environment.ts';
import type { Finding } from './examine.ts';
import type { FoundSomewhere } from './finding.ts';

const PROGRAM = path.resolve(import.meta.dirname, 'examiner.ts');
/** How long a process may take until it looks at the first thing, in seconds. */
const BEGIN_WITHIN_S = 60;
/** Beyond what a look may take, in seconds: what it waits for has limits of its own, which say more. */
const GRACE_S = 2;
/** It has time: whoever plays comes first. */
const PRIORITY = 10;
/** Characters that are kept of what a process says of its failure. */
const SAID_MOST = 500;

/** What a process that looks is told. */
export interface Order {
  env: Env;
  names: readonly CheckName[];
  /** What others have found. */
  found: readonly Finding[];
  /** The time by the clock of whoever asks, in milliseconds. */
  now: number;
}

/** What it says, a line each: what it begins to look at, and how long it may, or what it found. */
export type Said = { begun: CheckName; within_s: number } | Finding;

export interface Supervising {
  env: Env;
  now: () => Date;
  /** Ends what is under way. */
  signal?: AbortSignal;
  /** For tests: another program that looks. */
  program?: string;
}

/**
 * Has everything looked at in a process of its own: whatever takes memory, time or the process itself with it, as a damaged file
 * may, is not this one's. A look that takes too long is ended, and the rest is looked at by another process; so all of it ends.
 * @throws where it is aborted
 */
export async function* supervise({ env, now, signal, program = PROGRAM }: Supervising): AsyncGenerator<Said> {
  const found: Finding[] = [];
  for (let names: readonly CheckName[] = CHECK_NAMES; names.length > 0; ) {
    const left = new Set(names);
    let looking: CheckName = names[0] ?? 'settings';
    const order: Order = { env: withoutPasswords(env), names, found, now: now().getTime() };
    const looks = oneProcess(program, order, signal);
    let next = await looks.next();
    for (; !next.done; next = await looks.next()) {
      if ('begun' in next.value) looking = next.value.begun;
      else {
        found.push(next.value);
        left.delete(next.value.name);
      }
      yield next.value;
    }
    signal?.throwIfAborted();
    if (left.size > 0) {
      const lost: Finding = { name: looking, ...next.value };
      found.push(lost);
      left.delete(looking);
      yield lost;
    }
    names = [...left];
  }
}

/** Nobody needs them to look. */
function withoutPasswords(env: Env): Env {
  const { ADMIN_PASSWORD: _admin, METRICS_TOKEN: _metrics, ...others } = env;
  return others;
}

/** One process. @returns why what it looked at last is not known, where it did not come to its end */
async function* oneProcess(program: string, order: Order, signal?: AbortSignal): AsyncGenerator<Said, FoundSomewhere> {
  const child = spawn(process.execPath, [program], { env: childEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close').catch((error: unknown) => [String(error)]);
  const end = (): void => void child.kill('SIGKILL');
  let late_s: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const allow = (seconds: number): void => {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        late_s = seconds;
        end();
      },
      (seconds + GRACE_S) * 1_000,
    );
  };
  let failure = '';
  child.stderr.on('data', (some) => {
    failure = `${failure}${String(some)}`.slice(-SAID_MOST);
  });
  child.on('spawn', () => {
    try {
      if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
    } catch {
      // Over already, or not allowed here.
    }
  });
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(order));
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  allow(BEGIN_WITHIN_S);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const said: Said = JSON.parse(line);
      if ('begun' in said) allow(said.within_s);
      yield said;
    }
    const [code, by] = await ended;
    if (late_s !== null) return { finding: 'tookTooLong', params: { seconds: late_s } };
    return { finding: 'broke', params: { reason: failure.trim().split('\n').at(-1) || `it ended with ${String(code ?? by)}` } };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    end();
  }
}
