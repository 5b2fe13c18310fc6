import { describe, expect, it } from 'vitest';
import { routes } from '../app.ts';
import { openApiDocument } from './openapi.ts';

interface Shape {
  readonly [key: string]: unknown;
}

const isShape = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const BOUNDED_FORMATS: readonly unknown[] = ['binary'];

/** Where in a JSON schema a text or a list may be as long as one likes. */
function unboundedIn(shape: unknown, at: string): string[] {
  if (Array.isArray(shape)) return shape.flatMap((each) => unboundedIn(each, at));
  if (!isShape(shape)) return [];
  const isText =
    shape.type === 'string' &&
    !('const' in shape) &&
    !('enum' in shape) &&
    !BOUNDED_FORMATS.includes(shape.format);
  const here = [
    ...(isText && typeof shape.maxLength !== 'number' ? [`${at}: a text`] : []),
    ...(shape.type === 'array' && typeof shape.maxItems !== 'number' ? [`${at}: a list`] : []),
    ...(shape.type === 'object' &&
    'additionalProperties' in shape &&
    shape.additionalProperties !== false
      ? [`${at}: any names`]
      : []),
  ];
  const within = Object.entries(isShape(shape.properties) ? shape.properties : {}).flatMap(
    ([name, each]) => unboundedIn(each, `${at}.${name}`),
  );
  return [
    ...here,
    ...within,
    ...[shape.items, shape.anyOf, shape.oneOf, shape.allOf].flatMap((each) =>
      unboundedIn(each, at),
    ),
  ];
}

describe('limits of requests', () => {
  it('has an end: every text and every list of every call has a maximum', () => {
    const { paths } = openApiDocument(routes);
    const calls = Object.entries(isShape(paths) ? paths : {}).flatMap(([path, methods]) =>
      Object.entries(isShape(methods) ? methods : {}).map(([method, call]) => ({
        name: `${method} ${path}`,
        call,
      })),
    );
    expect(calls.length).toBe(routes.length);
    const unbounded = calls.flatMap(({ name, call }) => {
      if (!isShape(call)) return [`${name}: no call`];
      const parameters = (Array.isArray(call.parameters) ? call.parameters : []).filter(isShape);
      const bodies =
        isShape(call.requestBody) && isShape(call.requestBody.content)
          ? Object.values(call.requestBody.content)
          : [];
      return [
        // Node bounds all headers of a request together, to 16 KiB; this one is compared and not kept.
        ...parameters
          .filter((each) => each.name !== 'If-None-Match')
          .flatMap((each) => unboundedIn(each.schema, `${name} ${each.name}`)),
        ...bodies.flatMap((body) =>
          isShape(body) ? unboundedIn(body.schema, `${name} body`) : [],
        ),
      ];
    });
    expect(unbounded).toEqual([]);
  });

  it('recognizes unbounded shapes', () => {
    const shape = {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { anyOf: [{ type: 'array', items: { type: 'string' } }] },
      },
    };
    expect(unboundedIn(shape, 'body')).toEqual([
      'body.a: a text',
      'body.b: a list',
      'body.b: a text',
    ]);
  });
});
