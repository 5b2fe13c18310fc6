/**
 * Puts the base of the image together: `node image-base.mjs FOLDER`, beside the installed packages and the server's sources. Node, the
 * libraries it has loaded, the few files that a C library reads, the volume's folder, and the packages that the server imports, without
 * files that it never loads. Plain JavaScript, as it runs on the build image's Node.
 */

import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The image's user and group, also in the Dockerfile's USER. */
const USER_ID = 1000;

const [folder = ''] = process.argv.slice(2);
if (!folder) throw new Error('usage: node image-base.mjs FOLDER');
const inBase = (/** @type {string} */ file) => path.join(folder, file);

/** @param {string} from @param {string} [to] a path in the image */
function copy(from, to = from) {
  mkdirSync(path.dirname(inBase(to)), { recursive: true });
  cpSync(realpathSync(from), inBase(to));
}

/** SQLite's sources and its binaries for other platforms, source maps, and types: Node runs no TypeScript in node_modules. */
const BINARY = `${process.platform}-${process.arch}.node`;
const isUnused = (/** @type {string} */ file) =>
  /\.(map|[cm]?ts)$/.test(file) ||
  /better-sqlite3\/(deps|src)$/.test(file) ||
  (/better-sqlite3\/prebuilds\/./.test(file) && !file.endsWith(`/${BINARY}`));

/** The packages that the sources of these folders import. */
function importedBy(/** @type {string[]} */ ...folders) {
  const sources = folders
    .flatMap((of) =>
      readdirSync(of, { recursive: true, encoding: 'utf8' }).map((file) => path.join(of, file)),
    )
    .filter((file) => /\.(ts|mjs)$/.test(file));
  const names = sources.flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(
        /(?:from|import|resolve)[ (]+['`]((?:@[\w-]+\/)?\w[\w.-]*)/g,
      ),
      ([, name = '']) => name,
    ),
  );
  return names.filter((name) => existsSync(path.join('node_modules', name)));
}

/** The package that Node would load for an import from this one. @param {string} folder @param {string} name @returns {string | undefined} */
function resolve(folder, name) {
  const place = path.join(folder, 'node_modules', name);
  if (existsSync(place)) return place;
  return folder === '.' ? undefined : resolve(path.dirname(folder), name);
}

/** Adds the package and everything that it depends on. @param {string} folder @param {Set<string>} packages */
function addPackage(folder, packages) {
  if (packages.has(folder)) return;
  packages.add(folder);
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
  } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  for (const name of Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...peerDependencies,
  })) {
    const place = resolve(folder, name);
    if (place) addPackage(place, packages);
  }
}

/** @type {Set<string>} */
const packages = new Set();
for (const name of importedBy('server', 'shared'))
  addPackage(path.join('node_modules', name), packages);
for (const folder of packages) {
  const nested = path.join(folder, 'node_modules');
  cpSync(folder, inBase(path.join('app', folder)), {
    recursive: true,
    filter: (source) => source !== nested && !isUnused(source),
  });
}

// Loads the database's binary, so that its libraries are in the report, too.
const { default: Database } = await import(
  pathToFileURL(path.resolve(folder, 'app/node_modules/better-sqlite3/lib/index.js')).href
);
new Database(':memory:').close();
const { sharedObjects } = /** @type {{sharedObjects: string[]}} */ (process.report.getReport());
copy(process.execPath, '/usr/local/bin/node');
for (const library of sharedObjects) if (/^\/.*\.so[.\d]*$/.test(library)) copy(library);

mkdirSync(inBase('etc'));
writeFileSync(
  inBase('etc/passwd'),
  `root:x:0:0::/:/nologin\nclaimboard:x:${USER_ID}:${USER_ID}::/data:/nologin\n`,
);
writeFileSync(inBase('etc/group'), `root:x:0:\nclaimboard:x:${USER_ID}:\n`);
writeFileSync(inBase('etc/nsswitch.conf'), 'hosts: files dns\n');

mkdirSync(inBase('data'));
chmodSync(inBase('data'), 0o700);
// A build is root; the tests may not be.
if (process.getuid?.() === 0) chownSync(inBase('data'), USER_ID, USER_ID);
