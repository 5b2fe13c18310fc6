import { createRequire } from 'node:module';
import express, { type Response, type Router } from 'express';
import { z } from 'zod';
import { errorStatus } from '../../shared/errors.ts';
import { CAPABILITIES, type Capability } from '../../shared/rules/roles.ts';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../shared/schemas/claim.ts';
import { TOTAL_COUNT } from './paging.ts';
import { UPLOAD_FIELD } from './request-body.ts';
import type { Access, Route } from './router.ts';
import { swaggerPolicy } from './security-headers.ts';

type Json = Record<string, unknown>;

const refusal = z.object({
  error: z.string().describe('One English sentence'),
  code: z.enum(Object.keys(errorStatus)).describe('Stable'),
  params: z.record(z.string(), z.json()).describe('What the sentence is filled with'),
});

/** `{}`: a key in the body replaces one in a header. */
const security: Readonly<Record<string, Json[]>> = {
  open: [],
  reader: [{ accessKey: [] }, { adminToken: [] }],
  member: [{ accessKey: [] }, {}],
  actor: [{ accessKey: [] }, { adminToken: [] }, {}],
};
const ofAdmins: Json[] = [{ adminToken: [] }];

const DESCRIPTION = `Claims of hunting spots. Changes also arrive live over Socket.IO.

**Which credential counts.** If a request carries several, one counts, on every call alike: \`access_key\` in the body (it names who
acts), then the admin's bearer token, then \`X-Access-Key\`. \`POST /claims\` with \`admin_submission\` true uses the bearer token.
If the credential that counts is refused, the request is refused; no other credential is tried. Calls without a security
requirement read no credential. Access keys may be typed in any case, with or without hyphens and spaces.

**Request ids.** Every answer has an X-Request-Id, which names the request in the server's log.`;

/** Describes the API from the same schemas that validate it, as OpenAPI 3.1. */
export function openApiDocument(routes: readonly Route[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Claimboard', version: '1', description: DESCRIPTION },
    servers: [{ url: '/api' }],
    paths,
    components: {
      schemas: { Refusal: schemaOf(refusal, 'output') },
      securitySchemes: {
        accessKey: { type: 'apiKey', in: 'header', name: 'X-Access-Key' },
        adminToken: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

/** The tag of a path: its first segment that names a subject, such as `claims` of `/admin/claims`. */
const subjectOf = (path: string): string => path.split('/').find((word) => word !== '' && word !== 'admin') ?? path;

function operation(route: Route): Json {
  const wrapped = {
    type: 'object',
    required: ['success'],
    properties: { success: { const: true }, data: schemaOf(route.answer, 'output') },
  };
  const answer = route.bare ? schemaOf(route.answer, 'output') : wrapped;
  const extras = extrasOf(route);
  return {
    summary: route.summary,
    tags: [subjectOf(route.path)],
    security: security[route.access] ?? ofAdmins,
    parameters: [...parameters('path', route.params), ...parameters('query', route.query), ...(extras.parameters ?? [])],
    ...requestBody(route),
    responses: {
      [route.status]: { description: 'Done', headers: extras.headers ?? {}, content: { 'application/json': { schema: answer } } },
      ...extras.responses,
      default: { description: 'Refused', content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } } },
    },
  };
}

function requestBody(route: Route): Json {
  if (route.upload) return { requestBody: { required: true, content: { 'multipart/form-data': { schema: formOf(route.body) } } } };
  if (route.method === 'get' || route.body instanceof z.ZodUnknown) return {};
  return { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(route.body, 'input') } } } };
}

/** A form's text fields and its file. */
function formOf(body: z.ZodType): Json {
  const { properties, required } = schemaOf(body, 'input');
  const file = { type: 'string', format: 'binary', contentMediaType: 'image/gif' };
  return {
    type: 'object',
    properties: { ...(properties instanceof Object ? properties : {}), [UPLOAD_FIELD]: file },
    required: [...(Array.isArray(required) ? required : []), UPLOAD_FIELD],
  };
}

function parameters(place: 'path' | 'query', schema: z.ZodType): Json[] {
  const { properties, required } = schemaOf(schema, 'input');
  if (!properties || typeof properties !== 'object') return [];
  const needed: unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === 'path' || needed.includes(name),
    schema: each,
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return $defs ? JSON.parse(JSON.stringify(json, anythingForOwn)) : json;
}

/** `z.json()` becomes a recursive definition, which the document has no place for: describe it as any value. */
const anythingForOwn = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$ref' in value && String(value.$ref).startsWith('#/$defs/') ? {} : value;

/** Headers of a call, and answers besides its data. */
interface Extras {
  parameters?: Json[];
  /** Headers of its successful answer. */
  headers?: Json;
  responses?: Json;
}

const text = { type: 'string' };
const refusalContent = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } };
const retryAfter = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } };
const tooMany = (description: string): Json => ({ 429: { description, headers: retryAfter, content: refusalContent } });
const tooManyTries = tooMany('Too many wrong tries');

const counted: Extras = {
  headers: {
    [TOTAL_COUNT]: { description: 'How many there are, in whatever page; not said of a page after the first', schema: { type: 'integer' } },
  },
};

const ofCall: Readonly<Record<string, Extras>> = {
  'get /respawns': {
    parameters: [{ name: 'If-None-Match', in: 'header', required: false, description: 'The ETag of the board one holds', schema: text }],
    headers: { ETag: { description: "The history, and the clock of the last change that the caller's role sees", schema: text } },
    responses: { 304: { description: 'The board one holds is still the newest' } },
  },
  'post /claims': {
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description: 'Any text; the same for every try of one submission, which is then stored once and answered alike',
        schema: { ...text, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
      },
    ],
    responses: tooManyTries,
  },
  'get /events': counted,
  'get /events/:id/claims': counted,
  'get /admin/claims': counted,
  'get /admin/access-keys': counted,
  'get /admin/verified-codes': counted,
  'get /admin/archive/events': counted,
  'get /admin/archive/events/:id/claims': counted,
  'get /admin/archive/claims': counted,
  'post /login': { responses: tooManyTries },
  'post /generate-verification-code': { responses: tooMany('Too many codes of this address within a minute, or of this name') },
  'post /validate-access-key': { responses: tooManyTries },
};

const challenge = { 'WWW-Authenticate': { description: 'The scheme of an admin’s token: Bearer', schema: text } };

const ofReaders: Json = {
  401: {
    description: 'No credential, or one that does not hold; none is needed where the board is public',
    headers: challenge,
    content: refusalContent,
  },
  403: { description: 'A key that was revoked, or of a character that is banned', content: refusalContent },
};

const adminRefusals = (capability: Capability): Json => ({
  401: { description: 'No token, or one that has ended', headers: challenge, content: refusalContent },
  403: {
    description: `A member's key, or an admin of another role: the call is for ${CAPABILITIES[capability].join(', ')}`,
    content: refusalContent,
  },
});

const ofPrincipals = (others: string): Json => ({
  401: { description: 'No credential, or one that is refused', content: refusalContent },
  403: { description: `A key that was revoked, or of a banned character; ${others}`, content: refusalContent },
});

function ofAccess(access: Access): Json {
  if (access === 'open') return {};
  if (access === 'reader') return ofReaders;
  if (access === 'member') return ofPrincipals('an admin’s token, as the call is for members');
  if (access === 'actor') return ofPrincipals(`an admin whose role is none of ${CAPABILITIES.claims.join(', ')}`);
  return adminRefusals(access);
}

/** What the schemas of a call do not say. */
function extrasOf({ method, path, access }: Pick<Route, 'method' | 'path' | 'access'>): Extras & { responses: Json } {
  const own = ofCall[`${method} ${path}`] ?? {};
  return { ...own, responses: { ...ofAccess(access), ...own.responses } };
}

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

/** The API's description, and Swagger UI to try its calls, without files from other servers. */
export function apiDocs(routes: readonly Route[]): Router {
  const router = express.Router();
  let description: string | null = null;
  router.get('/openapi.json', (_req, res) => {
    description ??= JSON.stringify(openApiDocument(routes));
    res.type('json').send(description);
  });
  router.use('/docs', swaggerPolicy);
  router.get('/docs', (_req, res) => res.type('html').send(PAGE));
  const kept = (res: Response): Response => res.set('Cache-Control', `max-age=${KEPT_S}`);
  router.get('/docs/page.css', (_req, res) => kept(res).type('css').send(STYLE));
  router.get('/docs/page.js', (_req, res) => kept(res).type('js').send(SCRIPT));
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    router.get(`/docs/${name}`, (_req, res) => kept(res).sendFile(require.resolve(`swagger-ui-dist/${name}`), { cacheControl: false }));
  }
  return router;
}
