import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { check } from '../finding.ts';

/** That they can be read at all is known by now. */
export const settings = check('settings', async ({ env: { PUBLIC_URL, TRUST_PROXY } }) =>
  // The server itself speaks no https: there is a proxy, and everybody seems to come from its address.
  PUBLIC_URL?.startsWith('https:') && TRUST_PROXY === '0' ? { finding: 'proxyNotTrusted', params: { url: PUBLIC_URL } } : { finding: 'ok' },
);

const PACKAGE = path.resolve(import.meta.dirname, '../../../../package.json');
const OF_NODE = /"node-(?:bin-)?\w+-\w+": "([\d.]+)"/;

export const node = check('node', async () => {
  const version = process.versions.node;
  const wanted = OF_NODE.exec(await readFile(PACKAGE, 'utf8'))?.[1] ?? version;
  return version === wanted ? { finding: 'ok', params: { version } } : { finding: 'other', params: { version, wanted } };
});

export const build = check('build', async (patient) => {
  const name = patient.build();
  return name === null ? { finding: 'none' } : { finding: 'ok', params: { build: name } };
});
