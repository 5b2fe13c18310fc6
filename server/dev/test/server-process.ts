import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const ENTRY = path.resolve(import.meta.dirname, '../../main.ts');

export interface ServerProcess {
  child: ChildProcess;
  /** All that it printed so far, on both outputs. */
  output: () => string;
  /** Resolves with its address once it serves. @throws when it ends before */
  ready: Promise<string>;
  /** Resolves with its exit code, or the name of the signal that ended it. */
  ended: Promise<number | string>;
}

/** Starts the real program with these settings and no others; the caller ends it. */
export function startServer(settings: Readonly<Record<string, string | undefined>>): ServerProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    BACKUP_HOURS: '0',
    SETTINGS_FILE: '',
    ...settings,
  };
  const child = spawn(process.execPath, [ENTRY], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  // Not `exit`: the last output may arrive after it.
  const ended = once(child, 'close').then(
    ([code, signal]: (number | string | null)[]) => code ?? signal ?? 'unknown',
  );
  const ready = new Promise<string>((resolve, reject) => {
    let isReady = false;
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      // A long log is not searched again with each line.
      if (isReady) return;
      const [, url] = /ready at (\S+)/.exec(printed) ?? [];
      if (!url) return;
      isReady = true;
      resolve(url.replace('localhost', '127.0.0.1'));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then((code) => reject(new Error(`the server ended with ${code}: ${printed}`)));
  });
  // A caller that only waits for the end never awaits readiness.
  ready.catch(() => {});
  return { child, output: () => printed, ready, ended };
}
