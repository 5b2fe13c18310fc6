/** Which browsers the client is built for, and checked against. */

import { readFileSync } from 'node:fs';
import { at } from './command.mjs';

/** What package.json's `browserslist` says, as "safari >= 16.4". @returns {string[]} */
export const supported = () => JSON.parse(readFileSync(at('package.json'), 'utf8')).browserslist;
