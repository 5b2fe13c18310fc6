/** Goes before every program of ours (`loading.mjs`): with it, from the second time on, one starts in half the time or less. */

import { enableCompileCache, registerHooks } from 'node:module';
import path from 'node:path';
import { joinedFiles } from './joined.mjs';

// Node keeps what it compiled, types taken out. This one file has no types to take out, so what takes them out (a sixth of such
// a start) is not even loaded.
enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/compiled'));

const joined = joinedFiles();

registerHooks({
  resolve: (specifier, context, next) => {
    const file = joined.get(specifier);
    if (file) return { url: file, format: 'module', shortCircuit: true };
    // Our files name each other by whole relative paths. Node would ask the disk about each of them, its folders and their
    // package.json again, which is a tenth of a start.
    const { parentURL = '' } = context;
    if (!specifier.startsWith('.') || !specifier.endsWith('.ts')) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
  },
});
