import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import express, { type RequestHandler, type Router } from 'express';
import { once } from '../db/promises.ts';
import { openApiDocument } from './openapi.ts';
import type { Route } from './router.ts';
import { swaggerPolicy } from './security-headers.ts';

const require = createRequire(import.meta.url);

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Claimboard API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<link rel="stylesheet" href="/api/docs/page.css">
<script defer src="/api/docs/swagger-ui-bundle.js"></script>
<script defer src="/api/docs/page.js"></script>
</head>
<body><div id="api"></div></body>
</html>
`;

/** Dark mode follows the system's. The validator is off: it is a third party's server. */
const SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', dress);
dress();
SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** Breaks long paths, so that nothing is wider than a phone's screen. */
const STYLE = `body { margin: 0; }
.swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
.swagger-ui .opblock .opblock-summary-path { max-width: 100%; word-break: break-word; }
.swagger-ui .wrapper { box-sizing: border-box; }
@media (max-width: 600px) {
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .parameters, .swagger-ui .responses-table { display: block; overflow-x: auto; }
}
`;

/** How long a browser keeps the files, in seconds. */
const KEPT_S = 3_600;

const compress = promisify(gzip);

/** Sends a document that is made and compressed once: anyone may ask for it, and all answers share its bytes. */
function sendShared(
  type: string,
  make: () => Promise<string | Buffer>,
  headers: Readonly<Record<string, string>> = {},
): RequestHandler {
  const bodies = once(async () => {
    const plain = Buffer.from(await make());
    return { plain, gzip: await compress(plain) };
  });
  return async (req, res) => {
    const { plain, gzip } = await bodies();
    res.type(type).set(headers).vary('Accept-Encoding');
    if (req.acceptsEncodings('gzip') === 'gzip') res.set('Content-Encoding', 'gzip').send(gzip);
    else res.send(plain);
  };
}

/** The API's description, and Swagger UI to try its calls, without files from other servers. */
export function apiDocs(routes: readonly Route[]): Router {
  const router = express.Router();
  router.get(
    '/openapi.json',
    sendShared('json', async () => JSON.stringify(openApiDocument(routes))),
  );
  router.use('/docs', swaggerPolicy);
  router.get(
    '/docs',
    sendShared('html', async () => PAGE),
  );
  const kept = { 'Cache-Control': `max-age=${KEPT_S}` };
  router.get(
    '/docs/page.css',
    sendShared('css', async () => STYLE, kept),
  );
  router.get(
    '/docs/page.js',
    sendShared('js', async () => SCRIPT, kept),
  );
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    const read = () => readFile(require.resolve(`swagger-ui-dist/${name}`));
    router.get(`/docs/${name}`, sendShared(name, read, kept));
  }
  return router;
}
