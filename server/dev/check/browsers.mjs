/**
 * Finds what a browser that package.json's `browserslist` names does not have: APIs, built-in objects and their members, and
 * signs of regular expressions, by MDN's data. New syntax is Vite's to write in older words. What a member belongs to is not
 * known here: one is found if nothing of its name is old enough. `client/tsconfig.browsers.json` knows the types.
 */

import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { at } from '../setup/command.mjs';
import { supported } from '../setup/oldest-browsers.mjs';

/**
 * @typedef {import('@mdn/browser-compat-data').Identifier} Identifier
 * @typedef {import('@mdn/browser-compat-data').SupportBlock} SupportBlock
 * @typedef {keyof SupportBlock} Browser
 * @typedef {{ browser: Browser, version: string }} Oldest
 * @typedef {{ file: string, code: string }} Source
 */

/** The names of one data set in the other's words. @type {Record<string, Browser[]>} */
const BROWSERS = {
  chrome: ['chrome', 'chrome_android'],
  edge: ['edge'],
  firefox: ['firefox', 'firefox_android'],
  safari: ['safari'],
  ios_saf: ['safari_ios'],
};

/** The type of a global. @type {Record<string, string>} */
const INTERFACES = {
  caches: 'CacheStorage',
  crypto: 'Crypto',
  document: 'Document',
  history: 'History',
  localStorage: 'Storage',
  location: 'Location',
  navigator: 'Navigator',
  performance: 'Performance',
  screen: 'Screen',
  self: 'Window',
  sessionStorage: 'Storage',
  window: 'Window',
};

/** @param {string[]} list as "safari >= 16.4" @returns {Oldest[]} @throws Error for what it cannot read */
export function oldestBrowsers(list) {
  return list.flatMap((line) => {
    const [, name = '', version = ''] = /^(\w+) >= ([\d.]+)$/.exec(line) ?? [];
    const browsers = BROWSERS[name];
    if (!browsers)
      throw new Error(
        `package.json: browserslist has "${line}", which is not like "safari >= 16.4"`,
      );
    return browsers.map((browser) => ({ browser, version }));
  });
}

/** @param {string} a @param {string} b @returns {number} below 0 when `a` is the older version */
function compare(a, b) {
  const [x, y] = [a, b].map((version) => version.replace('≤', '').split('.').map(Number));
  return (x?.[0] ?? 0) - (y?.[0] ?? 0) || (x?.[1] ?? 0) - (y?.[1] ?? 0);
}

/** @param {Identifier | undefined} feature @param {Oldest} oldest */
function isIn(feature, { browser, version }) {
  const support = feature?.__compat?.support[browser];
  // The data has no entries for this browser: it follows another one.
  if (support === undefined) return true;
  return [support]
    .flat()
    .some(({ version_added, version_removed, flags, prefix, alternative_name }) => {
      if (
        typeof version_added !== 'string' ||
        version_added === 'preview' ||
        flags ||
        prefix ||
        alternative_name
      )
        return false;
      const isGone = typeof version_removed === 'string' && compare(version_removed, version) <= 0;
      return compare(version_added, version) <= 0 && !isGone;
    });
}

/**
 * @param {Oldest[]} oldest
 * @returns {(source: Source, ownMembers?: ReadonlySet<string>) => string[]} one line a fault; none when all is well
 */
export function newerThan(oldest) {
  /** @type {import('@mdn/browser-compat-data').CompatData} */
  const { api, javascript } = JSON.parse(
    readFileSync(at('node_modules/@mdn/browser-compat-data/data.json'), 'utf8'),
  );
  /** @type {Identifier} */
  const builtins = javascript.builtins ?? {};

  /** @param {...(Identifier | undefined)} features any of which will do @returns {string[]} the browsers that have none of them */
  const lacking = (...features) => {
    const known = features.filter((feature) => feature?.__compat);
    if (known.length === 0) return [];
    return oldest
      .filter((one) => !known.some((feature) => isIn(feature, one)))
      .map(({ browser, version }) => `${browser.replace('_', ' ')} ${version}`);
  };

  /** Every thing's members of a name. @type {Map<string, Identifier[]>} */
  const members = new Map();
  for (const thing of [
    ...Object.values(api),
    ...Object.values(builtins),
    ...Object.values(builtins.Intl ?? {}),
  ]) {
    for (const [name, feature] of Object.entries(thing)) {
      if (/^\w+$/.test(name) && name !== '__compat')
        members.set(name, [...(members.get(name) ?? []), feature]);
    }
  }

  /** Where the data may have a member of a global. @param {string} object @param {string} name @returns {Identifier[]} */
  const places = (object, name) => {
    const thing = INTERFACES[object] ?? object;
    return [api[thing]?.[`${name}_static`], api[thing]?.[name], builtins[thing]?.[name]].filter(
      (feature) => feature !== undefined,
    );
  };

  return ({ file, code }, ownMembers = membersIn({ file, code })) => {
    const { program } = parseSync(file, code);
    /** @type {Map<number, string>} */
    const found = new Map();
    /** Names that the file declares, and those it feature-detects. @type {Set<unknown>} */
    const own = new Set();
    /** @type {Set<string>} */
    const imported = new Set();
    /** @type {Set<unknown>} */
    const lookups = new Set();
    new Visitor({
      ImportSpecifier: ({ local }) => void imported.add(local.name),
      ImportDefaultSpecifier: ({ local }) => void imported.add(local.name),
      ImportNamespaceSpecifier: ({ local }) => void imported.add(local.name),
      VariableDeclarator: ({ id }) => void (id.type === 'Identifier' && own.add(id.name)),
      FunctionDeclaration: ({ id }) => void own.add(id?.name),
      ClassDeclaration: ({ id }) => void own.add(id?.name),
      BinaryExpression: ({ operator, left }) =>
        void (operator === 'in' && left.type === 'Literal' && lookups.add(left.value)),
      CallExpression({ callee, optional }) {
        if (optional && callee.type === 'MemberExpression' && callee.property.type === 'Identifier')
          lookups.add(callee.property.name);
      },
    }).visit(program);
    for (const name of imported) own.add(name);

    /** @param {number} start @param {string} name @param {string[]} browsers */
    const report = (start, name, browsers) => {
      if (browsers.length > 0) found.set(start, `${name}: not in ${browsers.join(', ')}`);
    };
    /** @param {import('vite').ESTree.Expression | import('vite').ESTree.Super} node */
    const checkGlobal = (node) => {
      if (node.type !== 'Identifier' || own.has(node.name) || lookups.has(node.name)) return;
      report(
        node.start,
        node.name,
        lacking(api[node.name], api.Window?.[node.name], builtins[node.name]),
      );
    };
    new Visitor({
      NewExpression: ({ callee }) => checkGlobal(callee),
      CallExpression({ callee }) {
        checkGlobal(callee);
        if (
          callee.type !== 'MemberExpression' ||
          callee.property.type !== 'Identifier' ||
          callee.computed
        )
          return;
        const { name, start } = callee.property;
        // A library's methods, and a global's, which is looked up by its own name below.
        const isKnown =
          callee.object.type === 'Identifier' &&
          (imported.has(callee.object.name) || places(callee.object.name, name).length > 0);
        if (!isKnown && !lookups.has(name) && !ownMembers.has(name))
          report(start, `.${name}()`, lacking(...(members.get(name) ?? [])));
      },
      MemberExpression({ object, property, computed }) {
        if (
          object.type !== 'Identifier' ||
          own.has(object.name) ||
          computed ||
          property.type !== 'Identifier'
        )
          return;
        checkGlobal(object);
        if (!lookups.has(property.name))
          report(
            property.start,
            `${object.name}.${property.name}`,
            lacking(...places(object.name, property.name)),
          );
      },
      Literal(literal) {
        if (!('regex' in literal) || !literal.regex.flags.includes('v')) return;
        report(literal.start, `/${literal.regex.pattern}/v`, lacking(builtins.RegExp?.unicodeSets));
      },
    }).visit(program);
    return [...found].map(
      ([start, fault]) => `${file}:${code.slice(0, start).split('\n').length}: ${fault}`,
    );
  };
}

/** The names that a file's own types and classes give to their members. @param {Source} source @returns {Set<string>} */
export function membersIn({ file, code }) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @param {{ key: import('vite').ESTree.PropertyKey }} member */
  const add = ({ key }) => void (key.type === 'Identifier' && names.add(key.name));
  const { program } = parseSync(file, code);
  new Visitor({
    TSPropertySignature: add,
    TSMethodSignature: add,
    MethodDefinition: add,
    PropertyDefinition: add,
  }).visit(program);
  return names;
}

/** The faults of what this repository sends to a browser. @returns {string[]} */
export function browserFaults() {
  const exclude = ['**/*.test.*', '**/test/**', '**/test-*', 'client/e2e/**', 'client/dist*/**'];
  const files = globSync(['client/**/*.{ts,tsx,js}', 'shared/**/*.ts'], {
    cwd: at('.'),
    exclude,
  }).sort();
  const sources = files.map((file) => ({ file, code: readFileSync(at(file), 'utf8') }));
  const ownMembers = new Set(sources.flatMap((source) => [...membersIn(source)]));
  const faultsOf = newerThan(oldestBrowsers(supported()));
  return sources.flatMap((source) => faultsOf(source, ownMembers));
}

if (import.meta.main) {
  const found = browserFaults();
  for (const fault of found) console.log(fault);
  process.exitCode = found.length > 0 ? 1 : 0;
}
