import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** A program that serves, old or new. */
export interface Program {
  url: string;
  stop: () => Promise<void>;
}

/** Its clock starts at a fixed moment, in each of its threads. */
const atThatTime = (at: string): string =>
  `--import=data:text/javascript,${encodeURIComponent(`
    const Real = Date, ahead = Real.parse('${at}') - Real.now();
    globalThis.Date = class Date extends Real {
      constructor(...given) { if (given.length > 0) super(...given); else super(Real.now() + ahead); }
      static now() { return Real.now() + ahead; }
    };`)}`;

/** Starts the program in a folder; older versions named its entry file differently. @throws Error when it ends before it serves */
export async function startProgram(
  folder: string,
  at: string,
  settings: Readonly<Record<string, string>>,
): Promise<Program> {
  const older = ['index.mjs', 'index.ts']
    .map((file) => path.join(folder, 'server', file))
    .find((file) => existsSync(file));
  const { PATH } = process.env;
  const usual = {
    PATH,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    BACKUP_HOURS: '0',
    ADMIN_PASSWORD: 'hunting-at-night',
  };
  const child = spawn(process.execPath, [older ?? path.join(folder, 'server/main.ts')], {
    cwd: folder,
    env: { ...usual, ...settings, NODE_OPTIONS: atThatTime(at) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const [, port] = /ready at \S+:(\d+)/.exec(printed) ?? [];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    void ended.then(() => reject(new Error(`the program in ${folder} ended: ${printed}`)));
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
