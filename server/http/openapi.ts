import { z } from 'zod';
import { errors } from '../../shared/error-codes.ts';
import { omit } from '../../shared/omit.ts';
import { CAPABILITIES, type Capability } from '../../shared/rules/roles.ts';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../shared/schemas/claim.ts';
import { TOTAL_COUNT } from './paging.ts';
import { UPLOAD_FIELD } from './request-body.ts';
import type { Access, Route } from './router.ts';

type Json = Record<string, unknown>;

const refusal = z.object({
  error: z.string().describe('One English sentence'),
  code: z.enum(Object.keys(errors)).describe('Stable'),
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
    info: {
      title: 'Claimboard',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
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

/** Such as `getRespawnsByIdClaims` for `get /respawns/:id/claims`: unique, as paths are. */
function operationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const words = path.replaceAll(':', 'by-').split(/[^a-zA-Z]+/);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The tag of a path: its first segment that names a subject, such as `claims` of `/admin/claims`. */
const subjectOf = (path: string): string =>
  path.split('/').find((word) => word !== '' && word !== 'admin') ?? path;

function operation(route: Route): Json {
  const extras = extrasOf(route);
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: callersOf(route.access),
    tags: [subjectOf(route.path)],
    security: security[route.access] ?? ofAdmins,
    parameters: [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...(extras.parameters ?? []),
    ],
    ...requestBody(route),
    responses: responsesOf(route),
  };
}

/** The answers of a call by status, and `default`. */
export function responsesOf(route: Route): Json {
  const wrapped = {
    type: 'object',
    required: ['success'],
    properties: { success: { const: true }, data: schemaOf(route.answer, 'output') },
  };
  const answer = route.bare ? schemaOf(route.answer, 'output') : wrapped;
  const extras = extrasOf(route);
  const isWrite = route.method !== 'get';
  return {
    [route.status]: {
      description: 'Done',
      headers: extras.headers ?? {},
      content: { 'application/json': { schema: answer } },
    },
    ...(hasInput(route) && {
      400: {
        description: 'The input is malformed or invalid; `params.field` names the field',
        content: refusalContent,
      },
    }),
    // The path, the query or the body names records; some writes need one that nothing names.
    ...((isWrite || hasInput(route)) && {
      404: { description: 'A record does not exist', content: refusalContent },
      409: {
        description:
          'Another record, a setting or the state of this record forbids it; `code` says why',
        content: refusalContent,
      },
    }),
    ...extras.responses,
    500: {
      description: "The server failed; X-Request-Id finds the error in the server's log",
      content: refusalContent,
    },
    default: { description: 'Refused; `code` says why', content: refusalContent },
  };
}

function requestBody(route: Route): Json {
  if (route.upload)
    return {
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: formOf(route.body) } },
      },
    };
  if (route.method === 'get' || route.body instanceof z.ZodUnknown) return {};
  const example = BODY_EXAMPLES[`${route.method} ${route.path}`];
  const content = {
    'application/json': { schema: schemaOf(route.body, 'input'), ...(example && { example }) },
  };
  return { requestBody: { required: true, content } };
}

const isEmpty = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;
const hasInput = ({ method, params, query, body }: Route): boolean =>
  !isEmpty(params) || !isEmpty(query) || (method !== 'get' && !(body instanceof z.ZodUnknown));

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
    ...(each instanceof Object && 'description' in each ? {} : PARAMETERS[name]),
    schema: each,
  }));
}

/** Descriptions and examples of parameters by name; not for those whose schema has one. */
const PARAMETERS: Readonly<Record<string, { description: string; example?: string | number }>> = {
  id: { description: 'The id of the record', example: 1 },
  respawnId: { description: 'The id of the respawn', example: 1 },
  event_id: { description: 'The id of an event', example: 1 },
  date: { description: 'A server-save date', example: '2026-11-25' },
  from: { description: 'The first server-save date', example: '2026-11-25' },
  to: { description: 'The last server-save date', example: '2026-12-01' },
  type: { description: 'The name of the member type', example: 'member' },
  reason: { description: 'Only claims that ended for this reason' },
  action: {
    description:
      'Only entries of this action; `claim_history`: of all that ended claims or gave them to another character',
  },
  admin: { description: 'Only entries of this admin' },
  by: { description: '`admins`: only entries of admins' },
  page: { description: 'The number of the page, from 1' },
  limit: { description: 'Records of a page' },
  before: { description: 'Only records older than the one with this id' },
  state: { description: 'The state that the sign-in began with' },
  code: { description: 'The code that Discord gives for the sign-in' },
  error: { description: 'Why Discord gives no code' },
  characterName: { description: 'The name of the character, in any case', example: 'Arden Vale' },
  character_name: { description: 'The name of the character, in any case', example: 'Arden Vale' },
};

/** Bodies of the calls that other programs are most likely to make. */
export const BODY_EXAMPLES: Readonly<Record<string, Json>> = {
  'post /login': { accessKey: 'K7QM-2F9A-XW3C' },
  'post /validate-access-key': { accessKey: 'K7QM-2F9A-XW3C' },
  'post /generate-verification-code': { character_name: 'Arden Vale' },
  'post /claims': {
    claims: [
      {
        respawn_id: 1,
        character_name: 'Arden Vale',
        date: '2026-11-25',
        hour_start: 10,
        hour_end: 13,
      },
    ],
  },
  'post /waits': { respawn_id: 1, date: '2026-11-25', hour_start: 10, hour_end: 13, min_hours: 2 },
  'post /stars': { respawn_ids: [1, 7] },
  'post /events': {
    name: 'Week 48',
    type: 'multiple_claims',
    start_time: '2026-11-25',
    end_time: '2026-12-01',
  },
  'post /admin/access-keys': { characterName: 'Arden Vale', memberType: 'member' },
  'post /admin/claims/bulk': { ids: [1, 2], command: { do: 'delete' } },
};

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $defs, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const json = omit(described, '$schema');
  return $defs ? JSON.parse(JSON.stringify(json, anythingForOwn)) : json;
}

/** `z.json()` becomes a recursive definition, which the document has no place for: describe it as any value. */
const anythingForOwn = (_name: string, value: unknown): unknown =>
  typeof value === 'object' &&
  value !== null &&
  '$ref' in value &&
  String(value.$ref).startsWith('#/$defs/')
    ? {}
    : value;

/** Headers of a call, and answers besides its data. */
interface Extras {
  parameters?: Json[];
  /** Headers of its successful answer. */
  headers?: Json;
  responses?: Json;
}

const text = { type: 'string' };
const refusalContent = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } };
const retryAfter = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
};
const tooMany = (description: string): Json => ({
  429: { description, headers: retryAfter, content: refusalContent },
});
const redirected = (description: string): Json => ({
  302: { description, headers: { Location: { description: 'The page', schema: text } } },
});
const tooManyTries = tooMany('Too many wrong keys, tokens or passwords from this address');

const tooManyStars = tooMany(
  'Too many changes of the character’s stars within a minute, or too many wrong keys from this address',
);

const counted: Extras = {
  headers: {
    [TOTAL_COUNT]: {
      description: 'The total number of records; only on the first page',
      schema: { type: 'integer' },
    },
  },
};

const ofCall: Readonly<Record<string, Extras>> = {
  'get /respawns': {
    parameters: [
      {
        name: 'If-None-Match',
        in: 'header',
        required: false,
        description: 'The ETag of the last board received',
        schema: text,
      },
    ],
    headers: {
      ETag: {
        description: "The history, and the clock of the last change that the caller's role sees",
        schema: text,
      },
    },
    responses: { 304: { description: 'The board is unchanged' } },
  },
  'post /claims': {
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description:
          'Any text, the same in every attempt of one submission: it is stored once, and each attempt gets the same answer',
        schema: { ...text, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
      },
    ],
  },
  'get /events/active': {
    responses: { 404: { description: 'No event is active', content: refusalContent } },
  },
  'post /invitations/accept': { responses: tooManyTries },
  'post /client-errors': { responses: tooMany('Too many reports of this address') },
  'post /discord/interactions': {
    responses: {
      401: { description: 'The request is not signed by Discord', content: refusalContent },
    },
  },
  'get /discord/sign-in': { responses: redirected('To Discord, or to /login with a reason') },
  'get /discord/callback': { responses: redirected('To /login with a ticket or a reason') },
  'post /discord/sign-in': { responses: tooManyTries },
  'get /events': counted,
  'get /events/:id/claims': counted,
  'get /admin/claims': counted,
  'get /admin/access-keys': counted,
  'get /admin/verified-codes': counted,
  'get /admin/archive/events': counted,
  'get /admin/archive/events/:id/claims': counted,
  'get /admin/archive/claims': counted,
  'post /login': { responses: tooManyTries },
  'post /generate-verification-code': {
    responses: tooMany('Too many codes for this address within a minute, or for this name'),
  },
  'post /validate-access-key': { responses: tooManyTries },
  'post /stars': { responses: tooManyStars },
  'delete /stars/:id': { responses: tooManyStars },
};

const challenge = {
  'WWW-Authenticate': { description: 'The scheme of an admin’s token: Bearer', schema: text },
};

const ofReaders: Json = {
  401: {
    description: 'No valid credential; none is needed if the board is public',
    headers: challenge,
    content: refusalContent,
  },
  403: { description: 'The key is revoked, or its character is banned', content: refusalContent },
};

const adminRefusals = (capability: Capability): Json => ({
  401: {
    description: 'No token, or an invalid or expired one',
    headers: challenge,
    content: refusalContent,
  },
  403: {
    description: `A member's key, or an admin with another role than ${CAPABILITIES[capability].join(', ')}`,
    content: refusalContent,
  },
});

const ofPrincipals = (others: string): Json => ({
  401: { description: 'No valid credential', content: refusalContent },
  403: {
    description: `The key is revoked, its character is banned, or ${others}`,
    content: refusalContent,
  },
});

function ofAccess(access: Access): Json {
  if (access === 'open') return {};
  if (access === 'reader') return ofReaders;
  if (access === 'member') return ofPrincipals('the caller is an admin: the call is for members');
  if (access === 'actor')
    return ofPrincipals(
      `the caller is an admin with another role than ${CAPABILITIES.claims.join(', ')}`,
    );
  return adminRefusals(access);
}

function callersOf(access: Access): string {
  if (access === 'open') return 'For anyone: no credential is read.';
  if (access === 'reader') return 'For members and admins; for anyone if the board is public.';
  if (access === 'member') return 'For members, for their own character.';
  if (access === 'actor')
    return `For members, for their own character; for admins (${CAPABILITIES.claims.join(', ')}), for any character.`;
  return `For admins: ${CAPABILITIES[access].join(', ')}.`;
}

/** Headers and responses that the schemas of a call do not describe. */
function extrasOf({
  method,
  path,
  access,
}: Pick<Route, 'method' | 'path' | 'access'>): Extras & { responses: Json } {
  const own = ofCall[`${method} ${path}`] ?? {};
  return {
    ...own,
    responses: { ...ofAccess(access), ...(access !== 'open' && tooManyTries), ...own.responses },
  };
}
