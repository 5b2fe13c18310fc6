import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../app.ts';
import { databases } from '../dev/test/databases.ts';
import { sized } from '../dev/test/scope.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import type { Route } from './router.ts';
import { hostileFields, hostileValue } from './test/hostile-values.ts';

// A failing run prints its seed; it is played again by putting it here.
const SEED = Number(process.env.HOSTILE_SEED ?? 20261121);

const jsonOf = (schema: z.ZodType): unknown =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
const shapes = routes.flatMap(({ method, path, ...route }) =>
  (['params', 'query', 'body'] as const).map((part) => ({
    name: `${method} ${path}: ${part}`,
    schema: route[part],
  })),
);
const hasFields = ({ schema }: { schema: z.ZodType }): boolean =>
  !(schema instanceof z.ZodObject) || Object.keys(schema.shape).length > 0;

describe('the shape of a request', () => {
  it.each(shapes.filter(hasFields))(
    'accepts or refuses any input, and throws nothing: $name',
    ({ schema }) => {
      fc.assert(
        fc.property(hostileValue(jsonOf(schema)), (value) => {
          const result = schema.safeParse(value);
          if (!result.success) expect(result.error).toBeInstanceOf(z.ZodError);
        }),
        { seed: SEED, numRuns: sized(50, 150) },
      );
    },
  );
});

/** Sends what a client that knows the call, and nothing of its bounds, might send. */
async function send(
  app: TestApp,
  { method, path }: Route,
  request: Record<'params' | 'query' | 'body', Record<string, unknown>>,
) {
  const at = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(inUrl(request.params[name]) || '1'),
  );
  const query = Object.entries(request.query).map(
    ([name, value]) => `${name}=${encodeURIComponent(inUrl(value))}`,
  );
  const call = app.api[method](`${at}?${query.join('&')}`).set(app.admin);
  return method === 'get' ? call : call.send(request.body);
}

const inUrl = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed().slice(0, 200);

describe.each(databases)('a hostile request of an admin on %s', (dialect) => {
  // Signing out would end the calling admin's session; a wrong login is slowed.
  const paths = routes.filter(
    ({ path, upload }) => !upload && path !== '/logout' && path !== '/login',
  );

  it('is answered or refused by every call, never a failure of the server', async () => {
    const app = await createTestApp(dialect, { env: { CHARACTER_CHECK: 'manual' } });
    const failed: string[] = [];
    for (const route of paths) {
      const [params, query, body] = [route.params, route.query, route.body].map((schema) =>
        hostileFields(jsonOf(schema)),
      );
      if (!params || !query || !body) throw new Error('three parts');
      for (const request of fc.sample(fc.record({ params, query, body }), {
        seed: SEED,
        numRuns: sized(4, 12),
      })) {
        const { status } = await send(app, route, request);
        if (status >= 500)
          failed.push(`${status} ${route.method} ${route.path} ${JSON.stringify(request)}`);
      }
    }
    expect(failed).toEqual([]);
  }, 120_000);
});
