import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import type { Logger } from 'pino';
import { StartError } from './failures.ts';

/** Windows keeps such rights in another way. */
const HAS_MODES = process.platform !== 'win32';
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What else of ours lies in the data folder. */
const OURS = /^(claimboard\.sqlite.*|server\.lock.*|catalogue|backups|\.gitignore|\.DS_Store)$/;

/**
 * Makes the data folder, for its user alone: keys are in it. One that holds other things too is left as it is,
 * since others may need those; what we keep in it is closed all the same.
 */
export function privateFolder(folder: string, log: Logger): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  if (!HAS_MODES || (statSync(folder).mode & 0o077) === 0) return;
  const others = readdirSync(folder).find((name) => !OURS.test(name));
  if (others === undefined && tighten(folder, FOLDER_MODE)) return;
  log.warn({ folder }, 'other users of this machine can read the data folder: give Claimboard a folder of its own');
}

/**
 * Makes a file, or takes one that exists, for its user alone.
 * @throws StartError when it belongs to another user: what this one writes beside it, that one could not read
 */
export function privateFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  // Never opened where it exists: closing a file takes away the locks that this process holds on it otherwise.
  if (!found) closeSync(openSync(file, 'wx', FILE_MODE));
  if (!found || !HAS_MODES) return;
  if (found.uid !== process.geteuid?.()) {
    throw new StartError(
      `${file} belongs to another user (number ${found.uid}). Run Claimboard as that user, or give the file to this one.`,
    );
  }
  if ((found.mode & 0o077) !== 0) tighten(file, FILE_MODE);
}

/** False where the disk knows no such rights, as on a memory stick. */
function tighten(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
