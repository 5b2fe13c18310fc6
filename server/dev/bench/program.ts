import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process of the bench: the measured server, a baseline, or the load generator. */
export interface Program {
  child: ChildProcess;
  /** The address that it printed. */
  url: string;
  /** Sends a message and resolves with the next message received. */
  ask: (message: string | object) => Promise<unknown>;
  /** Ends the process; resolves when it has exited. */
  stop: () => Promise<void>;
}

export interface ProgramOptions {
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Runs the exit handlers, which remove files and processes, on Ctrl-C too. */
export function endWhenInterrupted(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(1));
}

/** Starts a script on this Node; resolves when it prints its address. @throws Error if it exits before */
export async function startProgram({ args, env = {}, cwd }: ProgramOptions): Promise<Program> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  running.add(child);
  const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
    running.delete(child);
    return new Error(`${args.at(-1)} ended with ${code ?? signal}`);
  });
  const url = new Promise<string>((resolve) => {
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += String(chunk);
      const [, address] = /ready at (\S+)/.exec(printed) ?? [];
      if (address) resolve(address.replace('localhost', '127.0.0.1'));
    });
  });
  const orEnd = <T>(awaited: Promise<T>): Promise<T> =>
    Promise.race([
      awaited,
      ended.then((error) => {
        throw error;
      }),
    ]);
  return {
    child,
    url: await orEnd(url),
    ask: (message) => {
      const answered = once(child, 'message').then(([answer]) => answer);
      child.send(message);
      return orEnd(answered);
    },
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
