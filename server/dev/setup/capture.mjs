/** Runs a program in the background and collects what it prints. */

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './command.mjs';

/**
 * @typedef {object} Options
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [timeout] milliseconds, after which the program is ended
 * @property {boolean} [shell]
 *
 * @typedef {object} Outcome
 * @property {boolean} ok
 * @property {string} stdout
 * @property {string} output standard output and error as they came
 * @property {boolean} timedOut
 */

/**
 * Never rejects: a program that cannot be started is an outcome, too.
 * @param {string} file
 * @param {string[]} args
 * @param {Options} [options]
 * @returns {Promise<Outcome>}
 */
export function capture(
  file,
  args,
  { cwd = root, env = process.env, timeout, shell = false } = {},
) {
  return new Promise((settle) => {
    const child = spawn(file, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let output = '';
    let timedOut = false;
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });

    const limit =
      timeout &&
      setTimeout(() => {
        timedOut = true;
        child.kill('SIGTERM');
        setTimeout(() => child.kill('SIGKILL'), 3000).unref();
      }, timeout);

    // An npm or apt that outlived us would still be writing while the next start begins.
    /** @type {NodeJS.Signals | undefined} */
    let interruptedBy;
    /** @param {NodeJS.Signals} signal */
    const interrupt = (signal) => {
      interruptedBy = signal;
      child.kill(signal);
    };
    process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);

    /** @param {boolean} ok */
    const finish = (ok) => {
      clearTimeout(limit);
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt).off('SIGHUP', interrupt);
      if (interruptedBy) process.exit(128 + constants.signals[interruptedBy]);
      settle({ ok, stdout, output: output.trim(), timedOut });
    };
    child.on('error', (error) => {
      output += error.message;
      finish(false);
    });
    child.on('close', (code) => finish(code === 0));
    // A grandchild may hold the pipes open after the program itself was ended.
    child.on('exit', () => timedOut && finish(false));
  });
}
