/**
 * Checks which folder may import which: `server/README.md` and `client/README.md` draw the order. Every import points down it, type
 * imports included, and no folders import each other in a circle. Tests, and the tools in `server/dev`, may import anything.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'vite';
import { at, complain } from '../setup/command.mjs';

/** The layers of client and server, lowest first. The folders of one layer import each other only as `NEIGHBOURS` says. */
const LAYERS = [
  ['client/lib', 'client/api', 'client/offline', 'client/i18n.ts'],
  ['client/state', 'client/ui'],
  ['client/live'],
  ['client/features/claiming'],
  [
    'board',
    'my-claims',
    'notifications',
    'palette',
    'session',
    'shell',
    'statistics',
    'submit',
    'admin',
  ].map((feature) => `client/features/${feature}`),
  ['client/member-parts.tsx'],
  ['client/app.tsx'],
  ['client/main.tsx'],
  ['server/env.ts'],
  ['server/db'],
  ['server/http'],
  ['server/jobs'],
  ['server/auth'],
  ['server/live'],
  ['server/activity'],
  ['server/notifications/outbound'],
  ['server/notifications/notices'],
  ['server/feature.ts'],
  ['server/notifications', 'server/board', 'server/members', 'server/ops'],
  ['server/features.ts'],
  ['server/context.ts', 'server/tool-context.ts'],
  ['server/app.ts'],
  ['server/cli', 'server/server.ts'],
  ['server/main.ts'],
];

/**
 * What a folder may use of others in its layer. `client/lib` and `client/api` have subfolders on both sides of each other: what must not
 * form a circle is the folders that hold the files, which `folderCycles` checks.
 * @type {Record<string, string[]>}
 */
const NEIGHBOURS = {
  'client/lib': ['client/api', 'client/i18n.ts'],
  'client/api': ['client/lib'],
  'client/offline': ['client/i18n.ts'],
  'client/i18n.ts': ['client/lib', 'client/api'],
  'server/members': ['server/board'],
  'server/notifications': ['server/board', 'server/members'],
  'server/ops': ['server/board', 'server/notifications'],
};

/** Neither layered nor searched for cycles. */
const isFree = (/** @type {string} */ file) =>
  /\.test\.tsx?$|\/test\/|^client\/(dist.*|e2e|test-setup.*)\/|^client\/test-|^server\/(dev|db\/released)\//.test(
    file,
  );

/** @typedef {{from: string, to: string}} Import paths from the root of the repository */

/** @param {string} file @param {string} text @returns {Import[]} */
export function importsOf(file, text) {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  const named = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  return named
    .filter((name) => /^\..*\.tsx?$/.test(name))
    .map((name) => ({ from: file, to: normalize(join(dirname(file), name)) }));
}

/** Files directly in `server/` and `client/` count as folders of their own. @param {string} file */
const folderOf = (file) => (['server', 'client'].includes(dirname(file)) ? file : dirname(file));

/** A folder and its subfolders are one subject, and may import each other. @param {string} one @param {string} other */
const isWithin = (one, other) =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

/** @param {string} file */
const layerOf = (file) =>
  LAYERS.findIndex((folders) =>
    folders.some((folder) => file === folder || file.startsWith(`${folder}/`)),
  );

/** @param {string} file */
const layeredFolderOf = (file) =>
  LAYERS.flat().find((folder) => file === folder || file.startsWith(`${folder}/`)) ?? file;

/** A sentence for each import that points up or sideways. @param {Import[]} imports @returns {string[]} */
export function wrongDirections(imports) {
  return imports.flatMap(({ from, to }) => {
    if (to.startsWith('shared/')) return [];
    const [side] = from.split('/');
    if (!to.startsWith(`${side}/`))
      return [`${from} imports ${to}: the ${side} imports only itself and shared/.`];
    if (to.startsWith('server/dev/'))
      return [`${from} imports ${to}: the product doesn't import its tools.`];
    const above = layeredFolderOf(from);
    const below = layeredFolderOf(to);
    if (layerOf(from) < 0 || layerOf(to) < 0)
      return [
        `${layerOf(from) < 0 ? from : to} is in no layer: add it to server/dev/check/imports.mjs.`,
      ];
    if (above === below || layerOf(from) > layerOf(to) || NEIGHBOURS[above]?.includes(below))
      return [];
    return [`${from} imports ${to}: ${above} may not import ${below}.`];
  });
}

/** A sentence for each group of folders that need each other. @param {Import[]} imports @returns {string[]} */
export function folderCycles(imports) {
  /** @type {Map<string, Set<string>>} */
  const uses = new Map();
  for (const { from, to } of imports) {
    const user = folderOf(from);
    const used = folderOf(to);
    if (!isWithin(user, used)) uses.set(user, (uses.get(user) ?? new Set()).add(used));
  }
  /** @param {string} start @returns {Set<string>} every folder that can be reached from it */
  const reach = (start) => {
    const seen = new Set([...(uses.get(start) ?? [])]);
    for (const folder of seen) for (const next of uses.get(folder) ?? []) seen.add(next);
    return seen;
  };
  const reached = new Map([...uses.keys()].map((folder) => [folder, reach(folder)]));
  const groups = new Set(
    [...reached].flatMap(([folder, others]) => {
      const group = [...others].filter((other) => reached.get(other)?.has(folder));
      return group.length > 1 ? [group.sort().join(', ')] : [];
    }),
  );
  return [...groups].map((group) => {
    const folders = group.split(', ');
    const edges = imports.filter(({ from, to }) => {
      return (
        folders.includes(folderOf(from)) &&
        folders.includes(folderOf(to)) &&
        !isWithin(folderOf(from), folderOf(to))
      );
    });
    return [
      `These folders import each other: ${group}.`,
      ...edges.map(({ from, to }) => `  ${from} -> ${to}`),
    ].join('\n');
  });
}

function readImports() {
  return ['server', 'client']
    .flatMap((side) =>
      readdirSync(at(side), { recursive: true, encoding: 'utf8' }).map((file) => join(side, file)),
    )
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !isFree(file))
    .flatMap((file) => importsOf(file, readFileSync(at(file), 'utf8')));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const imports = readImports();
  const faults = [...wrongDirections(imports), ...folderCycles(imports)];
  for (const fault of faults) complain(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
