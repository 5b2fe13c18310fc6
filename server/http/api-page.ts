import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import express, { type Router } from 'express';
import { swaggerPolicy } from './content-security.ts';
import { readyMade } from './ready-made.ts';

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

/** Swagger UI is dark by a class. The validator it would ask is somebody else's server. */
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

/** Long paths break, and on a phone nothing is wider than the screen. */
const STYLE = `body { margin: 0; }
.swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
.swagger-ui .opblock .opblock-summary-path { max-width: 100%; word-break: break-word; }
.swagger-ui .wrapper { box-sizing: border-box; }
@media (max-width: 600px) {
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .parameters, .swagger-ui .responses-table { display: block; overflow-x: auto; }
}
`;

/** How long a browser keeps the package's files, in seconds. */
const KEPT_S = 3_600;

const ofPackage = (name: string): string => readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`), 'utf8');

const FILES: Readonly<Record<string, () => string>> = {
  'swagger-ui.css': () => ofPackage('swagger-ui.css'),
  'swagger-ui-bundle.js': () => ofPackage('swagger-ui-bundle.js'),
  'page.css': () => STYLE,
  'page.js': () => SCRIPT,
};

/** A page that shows the API's description, and tries its calls: Swagger UI, with nothing from elsewhere. */
export function apiPage(): Router {
  const router = express.Router();
  router.use(swaggerPolicy);
  router.get(
    '/',
    readyMade('html', () => PAGE),
  );
  for (const [name, text] of Object.entries(FILES)) {
    const send = readyMade(path.extname(name), text);
    router.get(`/${name}`, (req, res, next) => send(req, res.set('Cache-Control', `max-age=${KEPT_S}`), next));
  }
  return router;
}
