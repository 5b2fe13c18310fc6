import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';
import type { Env } from '../../env.ts';
import { childEnvironment } from '../child-environment.ts';
import { PROGRESS_SHARE } from './progress.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../cli/backup.ts');
/** It has time: whoever plays comes first. */
const PRIORITY = 10;
/** Characters that are kept of what a program says of its failure. */
const SAID_MOST = 500;

/**
 * Makes a backup in a process of its own, which takes its memory with it, and no time of this one's event loop.
 * @param onPercent told how far it is, now and then
 * @throws Error with the line in which it says why it failed
 */
export function backUpInProcess(
  { DATA_DIR, DATABASE_URL }: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>,
  file: string,
  signal: AbortSignal,
  onPercent: (percent: number) => void,
): Promise<void> {
  const env = { ...childEnvironment(), DATA_DIR, DATABASE_URL };
  const args = [PROGRAM, 'backup', file, '--server'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'], signal });
  let said = '';
  child.stderr.on('data', (chunk) => {
    const text = String(chunk);
    said = `${said}${text}`.slice(-SAID_MOST);
    const percent = PROGRESS_SHARE.exec(text)?.[1];
    if (percent !== undefined) onPercent(Number(percent));
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('spawn', () => {
      try {
        if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
      } catch {
        // Over already, or not allowed here.
      }
    });
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(said.trim().split('\n').at(-1) || `it ended with ${code}`))));
  });
}
