import { describe, expect, it } from 'vitest';
import { apiRoutes } from '../api.ts';
import { createSuiteApp } from '../test/test-app.ts';
import { apiPage } from './api-page.ts';
import { schemaText } from './schema-text.ts';

describe('the description of the API', () => {
  const app = createSuiteApp('sqlite');
  const document = async () => (await app.api.get('/openapi.json').expect(200)).body;

  it('tells of pages and of the header that counts what they are of', async () => {
    const { paths } = await document();
    for (const path of ['/events', '/events/{id}/claims', '/admin/claims', '/admin/access-keys', '/admin/verified-codes']) {
      const { parameters, responses } = paths[path].get;
      const names = parameters.filter((each: { in: string }) => each.in === 'query').map((each: { name: string }) => each.name);
      expect([path, ...names]).toEqual([path, 'limit', 'before', ...(path.endsWith('claims') ? ['from', 'to'] : [])]);
      expect(Object.keys(responses['200'].headers)).toEqual(['X-Total-Count']);
    }
  });

  it('tells of the headers that make a repeated submission safe and spare an unchanged board', async () => {
    const { paths } = await document();
    expect(paths['/claims'].post.parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header', required: false }]);
    expect(paths['/claims'].post.security).toEqual([{ accessKey: [] }, { adminToken: [] }, {}]);
    const board = paths['/respawns'].get;
    expect(board.parameters).toMatchObject([{ name: 'If-None-Match', in: 'header' }]);
    expect([Object.keys(board.responses['200'].headers), Object.keys(board.responses).sort()]).toEqual([
      ['ETag'],
      ['200', '304', '401', '403', 'default'],
    ]);
  });

  it('says of every call who may make it, and of every refusal what it looks like', async () => {
    const { paths, components } = await document();
    for (const { method, path, access } of apiRoutes()) {
      const { security, responses } = paths[path.replace(/:(\w+)/g, '{$1}')][method];
      if (access === 'admin') expect(security, path).toEqual([{ adminToken: [] }]);
      if (access === 'reader') expect(security, path).toEqual([{ accessKey: [] }, { adminToken: [] }]);
      for (const refused of ['401', '403'].filter(() => access !== 'open')) {
        expect(responses[refused].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Refusal' });
      }
      expect(responses.default.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Refusal' });
    }
    expect(components.schemas.Refusal.required).toEqual(['error', 'code', 'params']);
    expect(components.securitySchemes.accessKey.name).toBe('X-Access-Key');
  });

  it('is a page, too, which needs nothing from elsewhere', async () => {
    const answer = await app.api.get('/docs').expect(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const { method, path } of apiRoutes()) {
      expect(answer.text).toContain(`aria-label="${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}"`);
    }
    expect(answer.text).not.toMatch(/<script|https?:\/\/|\son\w+=|@import/);
    const ids = [...answer.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of answer.text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  it('escapes what it shows', () => {
    const evil = { summary: '<img src=x> & "more"', security: [], parameters: [], responses: { 200: { description: '<b>' } } };
    const page = apiPage({
      info: { title: '<T>', description: '' },
      servers: [{ url: '/api' }],
      paths: { '/a<b>': { get: evil } },
      components: { schemas: {} },
    });
    expect(page).toContain('&lt;img src=x&gt; &amp; &quot;more&quot;');
    expect(page).not.toMatch(/<img|<b>|<T>/);
  });
});

describe('a shape in words', () => {
  it.each([
    [{ type: 'integer', minimum: 0, maximum: 23 }, 'whole number, 0 to 23'],
    [{ type: 'integer', exclusiveMinimum: 0, maximum: 2_147_483_647 }, 'whole number'],
    [{ type: 'integer', minimum: 1, default: 100 }, 'whole number, from 1, else 100'],
    [{ type: 'string', format: 'date' }, 'date'],
    [{ type: 'string', format: 'date', pattern: 'x' }, 'date'],
    [{ type: 'string', minLength: 1, maxLength: 60 }, 'text, at least 1 long, at most 60 long'],
    [{ enum: ['a', 'b'] }, '"a" | "b"'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'text | null'],
    [{ type: 'array', items: { const: 1 } }, 'list of 1'],
    [{ $ref: '#/components/schemas/Refusal' }, 'Refusal'],
    [{ type: 'object', properties: { a: { type: 'boolean' }, b: {} }, required: ['a'] }, '{\n  a: boolean\n  b?: anything\n}'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, '{\n  [any name]: number\n}'],
    [{ type: ['number', 'null'] }, 'number | null'],
    [{ type: 'integer', minimum: 0, maximum: 23, default: -1 }, 'whole number, 0 to 23'],
    [{ type: 'integer', exclusiveMinimum: 0, default: 0 }, 'whole number'],
    [{}, 'anything'],
  ])('%j is %s', (schema, text) => {
    expect(schemaText(schema)).toBe(text);
  });
});
