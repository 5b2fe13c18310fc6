import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { MEDIA } from './client/ui/media.ts';
import { supported } from './server/dev/setup/oldest-browsers.mjs';
import { BUILD_META } from './shared/build.ts';

/** The development server proxies API requests there. */
const apiServer = process.env.API_SERVER ?? 'http://localhost:3000';

// The React Compiler skips the first load, which it would make 10 kB larger (gzip). The few hot spots there are memoised by hand.
const notCompiled = new Set(['board', 'claiming', 'shell']);
const compiled = readdirSync(path.resolve('client/features')).filter(
  (feature) => !notCompiled.has(feature),
);
const compiler = { sources: compiled.map((feature) => `/client/features/${feature}/`) };

/**
 * Modules outside the `first` chunk: the service worker, and the entry module. Browsers scan the whole file of a module that starts
 * requests to find the line, so keep that file small.
 */
const apart = /[\\/](offline|workbox-[a-z]+|idb)[\\/]|[\\/]client[\\/](index\.html|main\.tsx)$/;
/** React has its own chunk, which is evaluated first (see react-first.ts). */
const reactItself =
  /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]|[\\/]client[\\/]lib[\\/]loading[\\/]react-first\.ts$/;

/** The modules that a module of the client imports, itself included, without those that are loaded later. */
function importsOf(file: string, modules: Modules): Set<string> {
  const found = new Set([path.resolve('client', file)]);
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** A chunk for the modules of which this is true; the modules don't change while a build makes its chunks. */
function chunkOf(name: string, select: (modules: Modules) => (id: string) => boolean) {
  let isOf: ((id: string) => boolean) | null = null;
  return {
    name: (id: string, modules: Modules) => {
      isOf ??= select(modules);
      return isOf(id) ? name : null;
    },
    debugName: name,
    test: (id: string) => !apart.test(id),
  };
}

const BOARD = 'features/board/board-page.tsx';
const ofBoard = /\/client\/features\/board\//;

/**
 * The first loads in few files: compressed one by one, dozens of shared chunks are a tenth larger. Beside the visitor's: what every page of
 * a member has and a claim begun on the board needs; the board itself; what pages with forms share.
 */
const memberChunks = [
  chunkOf('member', (modules) => {
    const ofMembers = importsOf('member-parts.tsx', modules).union(importsOf(BOARD, modules));
    return (id) => ofMembers.has(id) && !ofBoard.test(id);
  }),
  chunkOf('board', (modules) => {
    const ids = importsOf(BOARD, modules);
    return (id) => ids.has(id);
  }),
  chunkOf('forms', (modules) => {
    const ofForm = importsOf('features/submit/submit-page.tsx', modules);
    const ids = ofForm.intersection(importsOf('features/admin/dashboard.tsx', modules));
    return (id) => ids.has(id);
  }),
];

/** The oldest supported browsers in Vite's notation: "ios_saf >= 16.4" is ios16.4. */
const target = supported().map((line) => line.replace('ios_saf', 'ios').replace(' >= ', ''));

/** Lets style sheets use the queries of `MEDIA`: `@media (--phone)`. */
const sharedMedia: Plugin = {
  name: 'shared-media',
  enforce: 'pre',
  transform: {
    filter: { id: /\.css(\?|$)/ },
    handler(css) {
      const queries = new Map<string, string>(Object.entries(MEDIA));
      return css.replace(
        /\(--([a-z]+)\)(?=[^;}]*\{)/g,
        (_, name: string) => queries.get(name) ?? this.error(`no media query ${name}`),
      );
    },
  },
};

/**
 * Writes into the page what a member's pages load besides, for early.js. A signed-in browser then fetches it with the page's own files, and
 * others not at all.
 */
const memberFiles: Plugin = {
  name: 'member-files',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const fileOf = (name: string): string =>
        Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name)
          ?.fileName ?? '';
      const lists = `data-member="/${fileOf('member')}" data-board="/${fileOf('board')}"`;
      return html.replace('<script src="/early.js"', `<script src="/early.js" ${lists}`);
    },
  },
};

/**
 * Writes the build id into the page: a hash of its HTML, and so of all hashed file names in it. The server announces the id to open
 * pages, and the service worker recognizes our page by it.
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
 * Declares calls of React Router's file free of side effects, which the bundler can't know: parts that no page uses, such as its forms,
 * are left out then.
 */
const pureRouter: Plugin = {
  name: 'pure-router',
  apply: 'build',
  transform: {
    filter: { id: /\/react-router\/dist\// },
    handler: (code) =>
      code
        .replace(/^\w+\.displayName = .*;$/gm, '')
        .replace(/= (?=React\d*\.(createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ '),
  },
};

/**
 * Splits a locale file. `?admin`: the dashboard, its previews of Discord messages, and admin
 * invitations. `?notices`: the notifications page. `?member`: everything else. `?visitor`: the part
 * of those for the frame and a visitor's landing page. Each of these is a function that loads its
 * sentences. `?first`: the error shown while no file could be loaded, inline.
 */
const sentenceParts: Plugin = {
  name: 'sentence-parts',
  load(id) {
    const [, file, language, part, isContent] =
      /^(.+\/locales\/(\w+)\.json)\?(visitor|member|admin|notices|first)(&content)?$/.exec(id) ??
      [];
    if (!file || !part) return null;
    // A build writes a file that the page fetches; the development server and tests import the content.
    const isBuilt = this.environment.config.command === 'build';
    const isInline = part === 'first' || isContent !== undefined;
    if (!isBuilt && !isInline) {
      const code = `export default async () => (await import(${JSON.stringify(`${id}&content`)})).default`;
      return { code, moduleType: 'js' };
    }
    this.addWatchFile(file);
    const { admin, discord, discordApp, invite, notifications, push, ...member } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    const first = {
      shell: { partFailed: member.shell.partFailed },
      common: { tryAgain: member.common.tryAgain },
    };
    const { common, time, shell, board, login, palette } = member;
    const sentences = {
      member,
      visitor: {
        common,
        time,
        shell,
        board: { visitor: board.visitor },
        login: { discord: login.discord },
        palette: { title: palette.title },
      },
      admin: { admin, discord, discordApp, invite, push },
      notices: { notifications },
      first,
    }[part];
    const content = JSON.stringify(sentences);
    if (isInline) return { code: `export default ${content}`, moduleType: 'js' };
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8);
    const fileName = `static/${language}-${part}-${hash}.json`;
    this.emitFile({ type: 'asset', fileName, source: content });
    return {
      code: `export default (fetchJson) => fetchJson(${JSON.stringify(`/${fileName}`)})`,
      moduleType: 'js',
    };
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
    if (!source.startsWith('.') || !(importer === SERVICE_WORKER || importer?.endsWith(COPY)))
      return null;
    const resolved = await this.resolve(source, importer.replace(COPY, ''), {
      ...options,
      skipSelf: true,
    });
    return resolved && resolved.id + COPY;
  },
};

export default defineConfig({
  root: 'client',
  // Radix' dialogs lock the page behind them by a <style> element, which the Content-Security-Policy does not allow.
  resolve: {
    alias: { 'react-style-singleton': path.resolve('client/lib/loading/style-singleton.ts') },
  },
  plugins: [
    sentenceParts,
    sharedMedia,
    serviceWorkerCopies,
    pureRouter,
    memberFiles,
    buildName,
    react({ include: /\/client\/.+\.tsx?$/, compiler }),
  ],
  build: {
    outDir: 'dist',
    target,
    emptyOutDir: true,
    // The server serves the spots' pictures under /assets.
    assetsDir: 'static',
    manifest: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: { index: path.resolve('client/index.html'), 'service-worker': SERVICE_WORKER },
      // Browsers look for a new service worker at the address of the old one.
      output: {
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? '[name].js' : 'static/[name]-[hash].js',
        codeSplitting: {
          groups: [
            { name: 'react', tags: ['$initial'], test: reactItself, priority: 1 },
            { name: 'first', tags: ['$initial'], test: (id) => !apart.test(id) },
            ...memberChunks,
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
});
