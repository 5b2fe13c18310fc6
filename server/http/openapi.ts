import { z } from 'zod';
import { errorStatus } from '../../shared/errors.ts';
import { extrasOf } from './openapi-extras.ts';
import type { Route } from './router.ts';
import { UPLOAD_FIELD } from './upload.ts';

type Json = Record<string, unknown>;

const refusal = z.object({
  error: z.string().describe('One English sentence'),
  code: z.enum(Object.keys(errorStatus)).describe('Stable'),
  params: z.record(z.string(), z.json()).describe('What the sentence is filled with'),
});

/** `{}`: a key in the body stands in for one in a header. */
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

/** What a path is about, under which the page shows it: its first word that says more than who may ask. */
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

/** The texts of a form and its file. */
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

/** `z.json()` is said by a definition that refers to itself, for which the document has no place: it is anything. */
const anythingForOwn = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$ref' in value && String(value.$ref).startsWith('#/$defs/') ? {} : value;
