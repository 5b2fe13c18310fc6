/** The licences of all packages that the client is built of and the server runs on, and of the font. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { at } from './command.mjs';

/** Packages that build the client, of which it has no part. */
const isTool = (/** @type {string} */ name) =>
  /^(vite|@vitejs\/.*|oxc-transform-react|typescript|@types\/.*)$/.test(name);
const LICENCE = /^(licen[sc]e|copying|notice)([-.]|$)/i;
const LINE = '-'.repeat(80);

/** @typedef {{ folder: string, facts: Record<string, any> }} Package */

/** @param {string} folder @returns {Record<string, any>} */
const readFacts = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The package that Node would load for an import from this folder. @param {string} folder @param {string} name @returns {string | null} */
function resolve(folder, name) {
  const place = join(folder, 'node_modules', name);
  if (existsSync(place)) return place;
  return folder === at() ? null : resolve(join(folder, '..'), name);
}

/** @param {string} folder @param {Map<string, Package>} packages */
function addDependencies(folder, packages) {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = readFacts(folder);
  // The project's optional dependencies are Node itself.
  const optional = folder === at() ? {} : optionalDependencies;
  for (const name of Object.keys({ ...dependencies, ...optional, ...peerDependencies })) {
    const place = isTool(name) ? null : resolve(folder, name);
    if (!place || packages.has(place)) continue;
    packages.set(place, { folder: place, facts: readFacts(place) });
    addDependencies(place, packages);
  }
}

/** @param {Package} of */
function noticeOf({ folder, facts: { name, version, license, repository, homepage } }) {
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const address = repository?.url ?? repository ?? homepage ?? '';
  const source = String(address)
    .replace(/^git\+/, '')
    .replace(/^(?=[\w-]+\/[\w-]+$)/, 'github:');
  const head = [`${name} ${version}`, `Licence: ${license ?? 'see below'}`, `Source: ${source}`];
  return [LINE, head.join('\n'), ...texts].join('\n\n');
}

/** @returns {string} */
export function thirdPartyNotices() {
  /** @type {Map<string, Package>} */
  const packages = new Map();
  addDependencies(at(), packages);
  const notices = [...packages.values()].map(noticeOf).sort();
  const font = readFileSync(at('client/ui/fonts/LICENSE.txt'), 'utf8').trim();
  return [
    'Claimboard contains these packages, unmodified, and the font Instrument Sans, reduced to the characters that it uses.',
    ...new Set(notices),
    `${LINE}\n\nInstrument Sans\n\n${font}`,
    '',
  ].join('\n\n');
}
