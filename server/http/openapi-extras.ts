import { CAPABILITIES, type Capability } from '../../shared/rules/roles.ts';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../shared/schemas/claim.ts';
import { TOTAL_COUNT } from './listed.ts';
import type { Access, Route } from './router.ts';

type Json = Record<string, unknown>;

/** What a call says in headers, and answers besides its data. */
interface Extras {
  parameters?: Json[];
  /** Headers of its successful answer. */
  headers?: Json;
  responses?: Json;
}

const text = { type: 'string' };
const refusal = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } };
const retryAfter = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } };
const tooMany = (description: string): Json => ({ 429: { description, headers: retryAfter, content: refusal } });
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
    content: refusal,
  },
  403: { description: 'A key that was revoked, or of a character that is banned', content: refusal },
};

const ofAdmins = (capability: Capability): Json => ({
  401: { description: 'No token, or one that has ended', headers: challenge, content: refusal },
  403: {
    description: `A member's key, or an admin of another role: the call is for ${CAPABILITIES[capability].join(', ')}`,
    content: refusal,
  },
});

const ofPrincipals = (others: string): Json => ({
  401: { description: 'No credential, or one that is refused', content: refusal },
  403: { description: `A key that was revoked, or of a banned character; ${others}`, content: refusal },
});

function ofAccess(access: Access): Json {
  if (access === 'open') return {};
  if (access === 'reader') return ofReaders;
  if (access === 'member') return ofPrincipals('an admin’s token, as the call is for members');
  if (access === 'actor') return ofPrincipals(`an admin whose role is none of ${CAPABILITIES.claims.join(', ')}`);
  return ofAdmins(access);
}

/** What a call's shapes do not tell of it. */
export function extrasOf({ method, path, access }: Pick<Route, 'method' | 'path' | 'access'>): Extras & { responses: Json } {
  const own = ofCall[`${method} ${path}`] ?? {};
  return { ...own, responses: { ...ofAccess(access), ...own.responses } };
}
