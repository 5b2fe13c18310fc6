/** A container may have no font at all, and a page without one shows no text. */

import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { privateRoot } from '../fetch-packages.mjs';

export const fontPackage = 'fonts-dejavu-core';

const machineFolders = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.fonts'),
  join(homedir(), '.local/share/fonts'),
];

/** Only Linux can lack one. */
export const hasFont = () => process.platform !== 'linux' || machineFolders.some(holdsFont);
export const hasPrivateFont = () => holdsFont(join(privateRoot, 'usr/share/fonts'));

/** @param {string} folder */
function holdsFont(folder) {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((file) =>
    /\.(ttf|otf|ttc|pfb)$/i.test(file),
  );
}
