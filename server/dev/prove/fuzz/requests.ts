import fc from 'fast-check';
import { type Operation, openApi } from './schema.ts';
import { valuesOf } from './values.ts';

const ROLES = ['visitor', 'member', 'admin', 'liar'] as const;
export type Role = (typeof ROLES)[number];

/** A generated request: references to known records are filled in when it is sent. */
export interface Drawn {
  method: string;
  /** With its parameters in braces. */
  path: string;
  role: Role;
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  /** How the body travels. `raw` is a text that need not be JSON, `form` a multipart form. */
  as: 'none' | 'json' | 'form' | 'raw';
  idempotency_key: string | null;
}

const RAW = [
  '',
  '{',
  '[',
  'null',
  '"',
  '{"a":1}}',
  '\u0000',
  '[1,2',
  'nope',
  `${'['.repeat(4_000)}`,
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '1e999',
];

function recordOf(
  parameters: Operation['parameters'],
  place: 'path' | 'query',
  today: string,
): fc.Arbitrary<Record<string, unknown>> {
  const mine = parameters.filter((each) => each.in === place);
  const fields = Object.fromEntries(
    mine.map((each) => [each.name, valuesOf(each.schema, today, each.name)]),
  );
  return place === 'path' ? fc.record(fields) : fc.record(fields, { requiredKeys: [] });
}

function drawnFrom(
  method: string,
  path: string,
  { parameters, requestBody }: Operation,
  today: string,
): fc.Arbitrary<Drawn> {
  const json = requestBody?.content['application/json']?.schema;
  const form = requestBody?.content['multipart/form-data']?.schema;
  const whole = json ?? form;
  const proper: Drawn['as'] = json ? 'json' : form ? 'form' : 'none';
  const body = fc.oneof(
    {
      weight: 30,
      arbitrary: fc.record({
        as: fc.constant(proper),
        body: whole ? valuesOf(whole, today) : fc.constant(null),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        as: fc.constant<Drawn['as']>('raw'),
        body: fc.constantFrom<unknown>(...RAW),
      }),
    },
  );
  const known = {
    method: fc.constant(method),
    path: fc.constant(path),
    // The roles with the most rights are drawn most: a refused credential reaches no handler.
    role: fc.constantFrom<Role>('admin', 'admin', 'admin', 'member', 'member', 'visitor', 'liar'),
    params: recordOf(parameters, 'path', today),
    query: recordOf(parameters, 'query', today),
    idempotency_key: fc.option(fc.constantFrom('a', 'b', 'x'.repeat(300)), { freq: 4 }),
  };
  return fc.tuple(fc.record(known), body).map(([request, sent]) => ({ ...request, ...sent }));
}

/** Requests to every call of an OpenAPI document, and to some that it does not have. */
export function requestsOf(document: unknown, today: string): fc.Arbitrary<Drawn> {
  const { paths } = openApi.parse(document);
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const nowhere: Operation = { parameters: [] };
  const strange = ['/', '/nowhere', '/respawns/%zz', '/respawns/1/nowhere', '/events//claims'].map(
    (path) => drawnFrom('get', path, nowhere, today),
  );
  return fc.oneof(
    {
      weight: 40,
      arbitrary: fc.oneof(
        ...calls.map(({ method, path, operation }) => drawnFrom(method, path, operation, today)),
      ),
    },
    { weight: 1, arbitrary: fc.oneof(...strange) },
  );
}
