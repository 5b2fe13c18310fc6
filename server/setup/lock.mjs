/** One process at a time changes node_modules or client/dist: two starts at once must not mix their files. */

import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { at, messageOf, SetupError, say } from './command.mjs';

// Not in node_modules: `npm ci` empties it.
const lock = at('.setup-lock');

/** Its holder touches the lock while it works; this long untouched, in any container or on any host, it has died. */
const staleAfter = 15_000;

/**
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function alone(work) {
  await take();
  const touch = setInterval(keep, 2000);
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

function keep() {
  try {
    utimesSync(lock, new Date(), new Date());
  } catch {
    // Somebody deleted it by hand; the work is as good without.
  }
}

async function take() {
  let told = false;
  while (!tryToTake()) {
    if (isStale()) {
      remove();
      continue;
    }
    if (!told) say('Another process is setting up here; waiting for it…');
    told = true;
    await pause(300);
  }
}

function tryToTake() {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new SetupError(`This user may not write to the repository's folder: ${messageOf(error)}`);
  }
}

function isStale() {
  const held = statSync(lock, { throwIfNoEntry: false });
  return held !== undefined && Date.now() - held.mtimeMs > staleAfter;
}

/** Renaming first: of two processes that find the same stale lock, only one removes it. */
function remove() {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw new SetupError(`Please delete ${lock}: it was left behind, and this user may not: ${messageOf(error)}`);
  }
  rmSync(aside, { recursive: true, force: true });
}
