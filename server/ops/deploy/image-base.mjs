/**
 * Puts the base of the image together: `node image-base.mjs FOLDER`, beside the production packages. Node, the libraries it has loaded,
 * the few files that a C library reads, the volume's folder, and the packages without files that the server never loads. Plain JavaScript, as
 * it runs on the build image's Node.
 */

import { chmodSync, chownSync, cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
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

cpSync('node_modules', inBase('app/node_modules'), {
  recursive: true,
  filter: (source) => !isUnused(source),
});

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
