/** What every npm script here shares: where the repository is, how to speak, how to fail. */

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(fileURLToPath(new URL('../../../', import.meta.url)));

/** A path inside the repository. @param {string[]} parts */
export const at = (...parts) => resolve(root, ...parts);

/** A failure whose message is all a person needs; anything else keeps its stack. */
export class SetupError extends Error {}

/** @param {string} text */
export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** @param {string} text */
export function complain(text) {
  process.stderr.write(`${text}\n`);
}

/** Runs a script's work and ends with the exit code it returns. @param {() => Promise<number>} work */
export async function command(work) {
  endWithNpm();
  try {
    process.exitCode = await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    complain(error.message);
    process.exitCode = 1;
  }
}

/**
 * `kill` on npm ends the shell between npm and us (dash waits for us, but forwards no signal) and would
 * leave us running with the port: a process that loses that shell stops as on SIGTERM.
 */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  watch.unref();
}

/** Seconds since a `performance.now()`, for people. @param {number} since */
export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** The message of a thrown value. @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));
