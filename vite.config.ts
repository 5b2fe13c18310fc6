import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { MEDIA } from './client/ui/media.ts';
import { supported } from './server/dev/setup/oldest-browsers.mjs';
import { BUILD_META } from './shared/build.ts';

/** Where the API of the development server is. */
const apiServer = process.env.API_SERVER ?? 'http://localhost:3000';

// What the board loads first is not compiled: it would be 10 kB larger, packed (89 for 79), and is memoised by hand in the few
// places that count (a test counts renders, and passes either way). The forms and the admin's pages are compiled.
const notCompiled = new Set(['board', 'claiming', 'shell']);
const compiled = readdirSync(path.resolve('client/features')).filter((feature) => !notCompiled.has(feature));
const compiler = { sources: compiled.map((feature) => `/client/features/${feature}/`) };

/**
 * The service worker is a program of its own. So is the page's first module: what it starts is traced back to its line, and
 * to count lines a browser reads the whole file once more.
 */
const apart = /[\\/](offline|workbox-[a-z]+|idb)[\\/]|[\\/]client[\\/](index\.html|main\.tsx)$/;
/** Starts before all else, in a turn of its own. */
const reactItself = /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]|[\\/]client[\\/]lib[\\/]loading[\\/]react-first\.ts$/;

/** The oldest browsers that must do, in Vite's words: "ios_saf >= 16.4" is ios16.4. New syntax is written in older words for them. */
const target = supported().map((line) => line.replace('ios_saf', 'ios').replace(' >= ', ''));

/** Style sheets write `@media (--phone)`, components `MEDIA.phone`. */
const sharedMedia: Plugin = {
  name: 'shared-media',
  enforce: 'pre',
  transform: {
    filter: { id: /\.css(\?|$)/ },
    handler(css) {
      const queries = new Map<string, string>(Object.entries(MEDIA));
      return css.replace(/\(--([a-z]+)\)(?=[^;}]*\{)/g, (_, name: string) => queries.get(name) ?? this.error(`no media query ${name}`));
    },
  },
};

/**
 * The page names its build, by a hash of itself and so of every file that it leads to: the same sources, the same name. The
 * server tells it to pages that are open, and the service worker knows our page by it.
 */
const buildName: Plugin = {
  name: 'build-name',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const content = createHash('sha256').update(html).digest('hex').slice(0, 16);
      return [{ tag: 'meta', attrs: { name: BUILD_META, content }, injectTo: 'head' }];
    },
  },
};

/**
 * `en.json?member` is a language without what only admins read, `en.json?admin` the rest of it: what Discord is told, too, of
 * which they see examples, and how one becomes an admin. `en.json?notices` is the page of that name's. `en.json?first` is what the page can say when none of these files come.
 */
const sentenceParts: Plugin = {
  name: 'sentence-parts',
  load(id) {
    const [, file, part] = /^(.+\/locales\/\w+\.json)\?(member|admin|notices|first)$/.exec(id) ?? [];
    if (!file || !part) return null;
    this.addWatchFile(file);
    // What the server writes to phones, `push`, no page says.
    const { admin, discord, invite, notifications, push: _, ...member } = JSON.parse(readFileSync(file, 'utf8'));
    const first = { shell: { part: member.shell.part }, common: { tryAgain: member.common.tryAgain } };
    const sentences = { member, admin: { admin, discord, invite }, notices: { notifications }, first }[part];
    return { code: `export default ${JSON.stringify(sentences)}`, moduleType: 'js' };
  },
};

/**
 * The service worker is a classic script and can import no chunk, so it gets a copy of each of our modules that it imports: the same file
 * under an id of its own.
 */
const SERVICE_WORKER = path.resolve('client/offline/service-worker.ts');
const COPY = '?service-worker';
const serviceWorkerCopies: Plugin = {
  name: 'service-worker-copies',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!source.startsWith('.') || !(importer === SERVICE_WORKER || importer?.endsWith(COPY))) return null;
    const resolved = await this.resolve(source, importer.replace(COPY, ''), { ...options, skipSelf: true });
    return resolved && resolved.id + COPY;
  },
};

/** Of every project's tests, before each file of them. */
const setupFiles = ['server/dev/test/wait-patiently.ts', 'server/dev/test/tell-causes.ts', 'server/dev/test/fail-on-console-error.ts'];
const server = {
  root: '.',
  globalSetup: ['server/dev/test/start-postgres.ts'],
  testTimeout: 60_000,
  hookTimeout: 120_000,
};
/**
 * Tests that replace a module, count what others make too, or load a process so much that it is better done with it. All others
 * of the server's share what they load: a process of its own costs a file two seconds of a processor.
 */
const isolated = 'server/**/*.isolated.test.ts';

/** What sets Happy DOM's own clock and address, which beside other windows in one process are out of a test's reach. */
const ownProcess = ['client/state/{pending-verifications,session-store}.test.ts', 'client/features/shell/profile-menu.test.tsx'];
const client = {
  root: '.',
  environment: 'happy-dom',
  include: ['client/**/*.test.{ts,tsx}'],
  setupFiles: [...setupFiles, 'client/test-setup.ts'],
  // On a machine that is busy with other things, too.
  testTimeout: 30_000,
};

export default defineConfig({
  root: 'client',
  // Radix' dialogs lock the page behind them by a <style> element, which the Content-Security-Policy does not allow.
  resolve: { alias: { 'react-style-singleton': path.resolve('client/lib/loading/style-singleton.ts') } },
  plugins: [sentenceParts, sharedMedia, serviceWorkerCopies, buildName, react({ include: /\/client\/.+\.tsx?$/, compiler })],
  build: {
    outDir: 'dist',
    target,
    emptyOutDir: true,
    // The server answers /assets/respawns with the spots' pictures; the client's own files keep out of its way.
    assetsDir: 'static',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: { index: path.resolve('client/index.html'), 'service-worker': SERVICE_WORKER },
      // Browsers look for a new service worker at the address of the old one.
      output: {
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'static/[name]-[hash].js'),
        // What the board loads first in few files: as dozens of shared ones, each packed by itself, it is a tenth larger.
        codeSplitting: {
          groups: [
            { name: 'react', tags: ['$initial'], test: reactItself, priority: 1 },
            { name: 'first', tags: ['$initial'], test: (id) => !apart.test(id) },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      // Not the client's own modules, which the dev server serves from /api/*.ts.
      '^/api/(?!.*\\.ts(\\?|$))': apiServer,
      '/assets': apiServer,
      '^/calendar/.+\\.ics$': apiServer,
      '/socket.io': { target: apiServer, ws: true },
    },
  },
  test: {
    root: '.',
    // By default one core stays idle, which of two is half. Two more than there are work while others wait, for a database mostly.
    maxWorkers: availableParallelism() + 2,
    // Megabytes of new objects between two looks at which of them are garbage. Tests make much that soon is: with 64 instead of the one or
    // less that Node begins with they take up to a tenth less of a processor, and with more of them no less.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
    // What is awaited is awaited also on a machine that is busy with other things: a second, as by default, asserts on time.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      // Functions of their arguments, which leave nothing behind.
      {
        extends: true,
        test: {
          name: 'rules',
          root: '.',
          include: ['shared/**/*.test.ts'],
          isolate: false,
          setupFiles,
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          ...server,
          name: 'server shared',
          include: ['server/**/*.test.ts'],
          exclude: [isolated],
          isolate: false,
          setupFiles: [...setupFiles, 'server/dev/test/count-from-one.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...server,
          name: 'server',
          include: [isolated],
          setupFiles,
        },
      },
      // Every file has modules and a window of its own, but for these few not a process: starting one costs more than most files.
      { extends: true, test: { ...client, name: 'client', exclude: ownProcess, pool: 'vmForks', vmMemoryLimit: '1GB' } },
      { extends: true, test: { ...client, name: 'client apart', include: ownProcess } },
    ],
  },
});
