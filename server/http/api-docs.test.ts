import { describe, expect, it } from 'vitest';
import { isCapability } from '../../shared/rules/roles.ts';
import { routes } from '../app.ts';
import { createSuiteApp } from '../dev/test/test-app.ts';
import { BODY_EXAMPLES } from './openapi.ts';

describe('the description of the API', () => {
  const app = createSuiteApp('sqlite');
  const document = async () => (await app.api.get('/openapi.json').expect(200)).body;

  it('describes pages and the header with their total', async () => {
    const { paths } = await document();
    for (const path of [
      '/events',
      '/events/{id}/claims',
      '/admin/claims',
      '/admin/access-keys',
      '/admin/verified-codes',
    ]) {
      const { parameters, responses } = paths[path].get;
      const names = parameters
        .filter((each: { in: string }) => each.in === 'query')
        .map((each: { name: string }) => each.name);
      const filters = [
        ...(path.endsWith('claims') ? ['from', 'to'] : []),
        ...(path === '/admin/claims' ? ['character', 'except_event'] : []),
      ];
      expect([path, ...names]).toEqual([path, 'limit', 'before', ...filters]);
      expect(Object.keys(responses['200'].headers)).toEqual(['X-Total-Count']);
    }
  });

  it('describes the headers of repeated submissions and of an unchanged board', async () => {
    const { paths } = await document();
    expect(paths['/claims'].post.parameters).toMatchObject([
      { name: 'Idempotency-Key', in: 'header', required: false },
    ]);
    expect(paths['/claims'].post.security).toEqual([{ accessKey: [] }, { adminToken: [] }, {}]);
    const board = paths['/respawns'].get;
    expect(board.parameters).toMatchObject([{ name: 'If-None-Match', in: 'header' }]);
    expect([
      Object.keys(board.responses['200'].headers),
      Object.keys(board.responses).sort(),
    ]).toEqual([['ETag'], ['200', '304', '401', '403', '429', '500', 'default']]);
  });

  it('lists a missing record and a conflict, but for reads that name nothing', async () => {
    const { paths } = await document();
    const listed = (path: string, method: string): string[] =>
      ['404', '409'].filter((status) => status in paths[path][method].responses);
    expect(listed('/claims', 'post')).toEqual(['404', '409']);
    expect(listed('/events/{id}', 'delete')).toEqual(['404', '409']);
    expect(listed('/transfers/recipients', 'get')).toEqual(['404', '409']);
    expect(listed('/events/active', 'get')).toEqual(['404']);
    expect(listed('/respawns', 'get')).toEqual([]);
  });

  it('names the role for every call, and the shape of every refusal', async () => {
    const { paths, components } = await document();
    for (const { method, path, access } of routes) {
      const { security, responses } = paths[path.replace(/:(\w+)/g, '{$1}')][method];
      if (isCapability(access)) expect(security, path).toEqual([{ adminToken: [] }]);
      if (access === 'reader')
        expect(security, path).toEqual([{ accessKey: [] }, { adminToken: [] }]);
      for (const refused of ['401', '403'].filter(() => access !== 'open')) {
        expect(responses[refused].content['application/json'].schema).toEqual({
          $ref: '#/components/schemas/Refusal',
        });
      }
      expect(responses.default.content['application/json'].schema).toEqual({
        $ref: '#/components/schemas/Refusal',
      });
    }
    expect(components.schemas.Refusal.required).toEqual(['error', 'code', 'params']);
    expect(components.securitySchemes.accessKey.name).toBe('X-Access-Key');
  });

  it('has an id and a description for every call, and describes bad input, too many attempts and failures', async () => {
    const { paths } = await document();
    const calls = routes.map((route) => ({
      ...route,
      call: paths[route.path.replace(/:(\w+)/g, '{$1}')][route.method],
    }));
    expect(new Set(calls.map(({ call }) => call.operationId)).size).toBe(routes.length);
    expect(paths['/respawns/{id}/claims'].get.operationId).toBe('getRespawnsByIdClaims');
    for (const { access, call } of calls) {
      expect(call.description, call.operationId).toMatch(/^For .+\.$/);
      expect(Object.keys(call.responses), call.operationId).toEqual(
        expect.arrayContaining([
          ...(call.parameters.some((each: { in: string }) => each.in !== 'header') ||
          call.requestBody?.content['application/json']
            ? ['400']
            : []),
          ...(access === 'open' ? [] : ['401', '429']),
          '500',
        ]),
      );
      for (const parameter of call.parameters)
        expect(
          parameter.description ?? parameter.schema.description,
          call.operationId,
        ).toBeTruthy();
    }
  });

  it('gives only examples that its schemas accept', async () => {
    const { paths } = await document();
    for (const [name, example] of Object.entries(BODY_EXAMPLES)) {
      const route = routes.find(({ method, path }) => `${method} ${path}` === name);
      expect([name, route?.body.safeParse(example).error]).toEqual([name, undefined]);
    }
    for (const { method, path, params, query } of routes) {
      const { parameters } = paths[path.replace(/:(\w+)/g, '{$1}')][method];
      const inPlace = (place: string) =>
        Object.fromEntries(
          parameters
            .filter(
              (each: { in: string; example?: unknown }) =>
                each.in === place && each.example !== undefined,
            )
            .map(({ name, example }: { name: string; example: unknown }) => [
              name,
              String(example),
            ]),
        );
      expect([path, params.safeParse(inPlace('path')).error]).toEqual([path, undefined]);
      expect([path, query.safeParse(inPlace('query')).error]).toEqual([path, undefined]);
    }
  });

  it('refers to nothing that it does not hold', async () => {
    const whole = await document();
    const holds = (ref: string): boolean =>
      ref
        .split('/')
        .slice(1)
        .reduce((part, name) => part?.[name], whole) !== undefined;
    const refs = [...JSON.stringify(whole).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, ref = '']) => ref,
    );
    expect(refs).not.toEqual([]);
    expect(refs.filter((ref) => !holds(ref))).toEqual([]);
  });

  it('is a page, too, which needs nothing from elsewhere', async () => {
    const page = await app.api.get('/docs').expect(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    const needed = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(needed.filter((url) => url.startsWith('/api/docs/'))).toHaveLength(4);
    for (const url of needed.filter((each) => each !== '/favicon.svg')) {
      const { headers, text } = await app.api.get(url.replace('/api', '')).expect(200);
      expect([url, headers['content-type']]).toEqual([
        url,
        expect.stringMatching(url.endsWith('css') ? /^text\/css/ : /^text\/javascript/),
      ]);
      expect([url, headers['cache-control'], text.length > 0]).toEqual([url, 'max-age=3600', true]);
    }
    const own = await Promise.all(
      ['/docs', '/docs/page.js', '/docs/page.css'].map(
        async (url) => (await app.api.get(url)).text,
      ),
    );
    expect(own.join()).not.toMatch(/https?:|\son\w+=|@import|<style| style=/);
    expect(own[1]).toContain("url: '/api/openapi.json'");
  });

  it('hands out no other file of the package it is shown by', async () => {
    for (const path of ['/docs/package.json', '/docs/swagger-ui.js', '/docs/%2e%2e/package.json']) {
      const { headers } = await app.api.get(path).expect(404);
      expect(headers['cache-control']).toBe('no-store');
    }
  });
});
