/** Runs programs in the foreground: they share our terminal, and end with us. */

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { complain, root } from './command.mjs';

/**
 * @typedef {object} Program
 * @property {string} file
 * @property {string[]} args
 * @property {NodeJS.ProcessEnv} [env]
 */

/**
 * Resolves when all have ended, with the exit code of the first that did; its end ends the others.
 * `interrupted` says that a person or a supervisor asked for it.
 * @param {Program[]} programs
 * @returns {Promise<{code: number, interrupted: boolean}>}
 */
export async function foreground(...programs) {
  let interrupted = false;
  /** @type {number | undefined} */
  let firstCode;

  const children = programs.map(({ file, args, env = process.env }) =>
    spawn(file, args, { cwd: root, env, stdio: 'inherit' }),
  );
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    for (const child of children) child.kill(signal);
  };

  /** @type {Set<NodeJS.Signals>} */
  const seen = new Set();
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    interrupted = true;
    // npm forwards signals that its process group received as well, so one signal may arrive here twice.
    if (seen.has(signal)) return;
    seen.add(signal);
    // A terminal sends Ctrl+C to the programs too; a second signal would interrupt their graceful stop.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    pass(signal);
  };
  process.on('SIGINT', forward).on('SIGTERM', forward).on('SIGHUP', forward);

  await Promise.all(
    children.map(
      (child) =>
        new Promise((ended) => {
          /** @param {number} code */
          const end = (code) => {
            if (firstCode === undefined) {
              firstCode = code;
              if (!interrupted) pass('SIGTERM');
            }
            ended(undefined);
          };
          child.on('error', (error) => {
            complain(error.message);
            end(1);
          });
          child.on('exit', (code, signal) =>
            end(code ?? 128 + constants.signals[signal ?? 'SIGTERM']),
          );
        }),
    ),
  );
  process.off('SIGINT', forward).off('SIGTERM', forward).off('SIGHUP', forward);
  return { code: firstCode ?? 0, interrupted };
}
