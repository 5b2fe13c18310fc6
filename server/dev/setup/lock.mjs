/** One process at a time changes node_modules or client/dist, or fetches a browser: two starts at once must not mix their files. */

import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { at, messageOf, SetupError, say } from './command.mjs';

/** Resources with a lock each. @typedef {'setup' | 'browser'} What */

/** Not in node_modules: `npm ci` empties it. @param {What} what */
const lockOf = (what) => at(`.${what}-lock`);

/** Its holder touches the lock while it works; this long untouched, in any container or on any host, it has died. */
const staleAfter = 15_000;

/**
 * @template Result
 * @param {() => Promise<Result>} work
 * @param {What} [what]
 * @returns {Promise<Result>}
 */
export async function alone(work, what = 'setup') {
  const lock = lockOf(what);
  await take(lock);
  const touch = setInterval(() => keep(lock), 2000);
  const release = () => {
    clearInterval(touch);
    rmSync(lock, { recursive: true, force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

/** @param {string} lock */
function keep(lock) {
  try {
    utimesSync(lock, new Date(), new Date());
  } catch {
    // Deleted by hand; the work doesn't depend on it.
  }
}

/** @param {string} lock */
async function take(lock) {
  let hasToldOfLock = false;
  while (!tryToTake(lock)) {
    if (isStale(lock)) {
      remove(lock);
      continue;
    }
    if (!hasToldOfLock) say('Another process is setting up here; waiting for it…');
    hasToldOfLock = true;
    await pause(300);
  }
}

/** @param {string} lock */
function tryToTake(lock) {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new SetupError(`This user may not write to the repository's folder: ${messageOf(error)}`);
  }
}

/** @param {string} lock */
function isStale(lock) {
  const held = statSync(lock, { throwIfNoEntry: false });
  return held !== undefined && Date.now() - held.mtimeMs > staleAfter;
}

/** Renaming first: of two processes that find the same stale lock, only one removes it. @param {string} lock */
function remove(lock) {
  const renamed = `${lock}.${process.pid}`;
  try {
    renameSync(lock, renamed);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw new SetupError(
      `Please delete ${lock}: it was left behind, and this user may not: ${messageOf(error)}`,
    );
  }
  rmSync(renamed, { recursive: true, force: true });
}
