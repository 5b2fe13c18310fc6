import { readFileSync } from 'node:fs';

/** A runner's JSON report; nothing when it never came to write one. @param {string} file */
export function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
