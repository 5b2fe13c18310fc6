/**
 * Compares what a browser loads first on four pages, scripts and styles compressed with gzip, with `first-load.json`. It fails if one is
 * more than 2 % larger. `--write` stores the sizes of today, which a growth that is worth it needs.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildClient } from '../setup/client-build.mjs';
import { at } from '../setup/command.mjs';

const STORED = at('server/dev/check/first-load.json');
const DIST = at('client/dist');
const MAX_GROWTH = 1.02;

/** The modules that each page loads, from `client/`. */
const MEMBERS = ['index.html', 'member-parts.tsx'];
const PAGES = {
  visitor: ['index.html'],
  board: [...MEMBERS, 'features/board/board-page.tsx'],
  form: [...MEMBERS, 'features/submit/submit-page.tsx'],
  dashboard: [...MEMBERS, 'features/admin/dashboard.tsx'],
};

/** @typedef {{ file: string, imports?: string[], css?: string[] }} Chunk */

await buildClient(process.execPath);
/** @type {Record<string, Chunk>} */
const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));

/** The files of some modules and of all they import statically. @param {string[]} names @param {Set<string>} files */
function addFiles(names, files) {
  for (const name of names) {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`the client has no module ${name}: see PAGES`);
    if (files.has(chunk.file)) continue;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    addFiles(chunk.imports ?? [], files);
  }
  return files;
}

/** @param {string} file */
const sizeOf = (file) => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length;

const sizes = Object.fromEntries(
  Object.entries(PAGES).map(([page, names]) => {
    const files = [...addFiles(names, new Set())];
    return [page, files.reduce((sum, file) => sum + sizeOf(file), 0)];
  }),
);

if (process.argv.includes('--write')) writeFileSync(STORED, `${JSON.stringify(sizes, null, 2)}\n`);
/** @type {Record<string, number>} */
const stored = JSON.parse(readFileSync(STORED, 'utf8'));
for (const [page, size] of Object.entries(sizes)) {
  const before = stored[page] ?? 0;
  if (size <= before * MAX_GROWTH) continue;
  console.error(
    `The first load of the ${page} has grown from ${before} to ${size} bytes (gzip). Load its new parts later (lazyPart), or accept it: npm run check -- --fix`,
  );
  process.exitCode = 1;
}
