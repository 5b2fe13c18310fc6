import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { errors, isErrorCode } from '../../../../shared/error-codes.ts';
import { ALL_KINDS } from '../../../../shared/kinds.ts';
import { routes as allRoutes } from '../../../app.ts';
import { features } from '../../../features.ts';
import { responsesOf } from '../../../http/openapi.ts';
import { recordSourcesOf } from '../../../live/record-kinds.ts';
import { wholeBoardSchema } from '../../../live/routes.ts';
import type { Answer } from './send.ts';

const recordSources = recordSourcesOf(features);

const routes = new Map(
  allRoutes.map((route) => [`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`, route]),
);
const refusal = z.strictObject({
  error: z.string().min(1),
  code: z.string(),
  params: z.record(z.string(), z.json()),
});

/** Calls that lead browsers to another page. */
const REDIRECTS: ReadonlySet<string> = new Set(['/discord/sign-in', '/discord/callback']);
/** Callers handle these on their own; `default` describes the other refusals. */
const MUST_BE_LISTED = [404, 409];

/** The fault of an answer, or null. */
export function faultIn(
  method: string,
  path: string,
  { status, headers, text }: Answer,
): string | null {
  if (!headers['x-request-id']) return `status ${status} without X-Request-Id`;
  if (status === 304) return text === '' ? null : 'a 304 with a body';
  if (status === 302) return REDIRECTS.has(path) ? null : `a redirect from ${path}`;
  if (status >= 500) return `status ${status}: ${text.slice(0, 200)}`;
  const body = parsed(text);
  if (body === undefined) return `status ${status}, not JSON: ${text.slice(0, 100)}`;
  const route = routes.get(`${method} ${path}`);
  if (status >= 400) {
    const isListed = !MUST_BE_LISTED.includes(status) || !route || status in responsesOf(route);
    return isListed
      ? faultInRefusal(status, headers, body)
      : `status ${status}, which the description of the call does not list`;
  }
  if (!route) return `status ${status} from a call that does not exist`;
  if (status !== route.status) return `status ${status} instead of ${route.status}`;
  if (route.bare) return faultBy(route.answer, body);
  if (route.answer instanceof z.ZodUndefined)
    return isDeepStrictEqual(body, { success: true }) ? null : 'an answer that should be empty';
  return faultBy(z.strictObject({ success: z.literal(true), data: route.answer }), body);
}

function faultInRefusal(status: number, headers: Answer['headers'], body: unknown): string | null {
  const parsed = refusal.safeParse(body);
  if (!parsed.success) return `a refusal of another shape: ${JSON.stringify(body).slice(0, 200)}`;
  const { code, error } = parsed.data;
  if (!isErrorCode(code)) return `an unknown code ${code}`;
  if (errors[code].status !== status) return `${code} with status ${status}`;
  if (error.includes('{{')) return `a sentence that is not filled in: ${error}`;
  if (status === 401 && headers['www-authenticate'] === undefined)
    return '401 without WWW-Authenticate';
  return status === 429 && headers['retry-after'] === undefined ? '429 without Retry-After' : null;
}

function faultBy(schema: z.ZodType, body: unknown): string | null {
  const result = schema.safeParse(body);
  if (!result.success)
    return `not of its own shape: ${z.prettifyError(result.error).replaceAll('\n', ' ').slice(0, 300)}`;
  // The schema drops unknown fields, so the document would not list them.
  return isDeepStrictEqual(JSON.parse(JSON.stringify(result.data)), body)
    ? null
    : 'more than its own shape names';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const kind = z.enum(ALL_KINDS);
const change = z.discriminatedUnion('op', [
  z
    .strictObject({ op: z.literal('put'), kind, record: z.unknown() })
    .refine(({ kind, record }) => recordSources[kind].schema.safeParse(record).success),
  z.strictObject({ op: z.literal('remove'), kind, id: z.union([z.number(), z.string()]) }),
  z.strictObject({ op: z.literal('reset') }),
]);
const clock = z.number().int().min(0);
const changeSet = z.strictObject({ clock, changes: z.array(change) });
const build = z.string().optional();
const synced = z.union([
  z.object({ clock, epoch: z.string(), build, change_sets: z.array(changeSet) }),
  wholeBoardSchema(recordSources).extend({ build }),
]);

/** The same for what the live connection says. */
export const faultInSync = (answer: unknown): string | null => faultBy(synced, answer);
export const faultInChanges = (message: unknown): string | null =>
  faultBy(z.union([changeSet, z.array(changeSet)]), message);
