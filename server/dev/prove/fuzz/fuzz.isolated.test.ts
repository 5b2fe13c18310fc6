import { randomInt } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databases, freshDatabase } from '../../test/databases.ts';
import { sized } from '../../test/scope.ts';
import { fuzzServer } from './fuzz.ts';
import { faultIn } from './judge.ts';
import { LeakedSecrets } from './leaked-secrets.ts';

const REQUESTS = sized(250, 1_500);

describe.each(databases)('hostile requests on %s', (dialect) => {
  it('are answered by the shapes the document names, and never with a failure', {
    retry: 0,
  }, async () => {
    const database = await freshDatabase(dialect);
    onTestFinished(() => database.drop());
    const seed = randomInt(2 ** 31);
    const { tried, failed, accepted } = await fuzzServer(
      { ...database.settings },
      { seed, runs: REQUESTS, say: () => {} },
    );
    expect(failed, `npm run prove -- fuzz --seed ${seed}`).toEqual([]);
    expect(tried).toBe(REQUESTS);
    // Otherwise all were refused at the door, and nothing behind it was tried.
    expect(accepted).toBeGreaterThan(REQUESTS / 20);
  });
});

describe('the search for secrets in a log', () => {
  it('finds those that were in answers', () => {
    const secrets = new LeakedSecrets(['fuzz-password']);
    secrets.scan(
      '{"data":{"token":"q3JZr0bKx9-Vn2TqYw5L","key_value":"K7QM-2F9A-XW3C","code":"CLAIM-7KQ2M9XA","error":"not.secret.at.all"}}',
    );
    secrets.scan('{"data":{"secret":"whsec_abc+defghijklmn/opqrstuvwxyz="}}');
    const clean = '{"msg":"request refused","code":"not.secret.at.all"}';
    for (const secret of [
      'q3JZr0bKx9-Vn2TqYw5L',
      'K7QM-2F9A-XW3C',
      'CLAIM-7KQ2M9XA',
      'defghijklmn',
      'fuzz-password',
    ]) {
      expect(secrets.in(`${clean}\n{"err":"${secret}"}\n`)).toEqual([
        `a secret in the log: {"err":"${secret}"}`,
      ]);
    }
    expect(secrets.in(clean)).toEqual([]);
  });
});

const ID = { 'x-request-id': '4f2a9c3b7d5e1068' };

describe('the judge of answers', () => {
  const answer = (status: number, body: unknown, headers: Record<string, string> = ID) => ({
    status,
    headers,
    text: JSON.stringify(body),
    took_ms: 0,
  });
  const category = { id: 1, name: 'Plains' };

  it('accepts answers that the call documents', () => {
    expect(
      faultIn('get', '/categories', answer(200, { success: true, data: [category] })),
    ).toBeNull();
    expect(
      faultIn(
        'delete',
        '/categories/{id}',
        answer(404, { error: 'No.', code: 'category.notFound', params: {} }),
      ),
    ).toBeNull();
  });

  it.each([
    ['a failure', answer(500, { error: 'Oh.', code: 'server.failed', params: {} })],
    ['another status', answer(201, { success: true, data: [category] })],
    ['a field that lacks', answer(200, { success: true, data: [{ id: 1 }] })],
    [
      'a field that no schema names',
      answer(200, { success: true, data: [{ ...category, secret: 1 }] }),
    ],
    [
      'a code with another status',
      answer(400, { error: 'No.', code: 'category.notFound', params: {} }),
    ],
    ['an unknown code', answer(400, { error: 'No.', code: 'nope', params: {} })],
    [
      'a sentence that is not filled in',
      answer(404, { error: 'No {{name}}.', code: 'category.notFound', params: {} }),
    ],
    ['a refusal without its parameters', answer(404, { error: 'No.', code: 'category.notFound' })],
    [
      '429 without a time',
      answer(429, { error: 'Wait.', code: 'request.tooManyTries', params: {} }),
    ],
    [
      '401 without the scheme of credentials',
      answer(401, { error: 'No.', code: 'session.required', params: {} }),
    ],
    ['an answer without its id', answer(200, { success: true, data: [category] }, {})],
    ['what is not JSON', { status: 200, headers: ID, text: '<html>', took_ms: 0 }],
  ])('finds %s', (_, wrong) => {
    expect(faultIn('get', '/categories', wrong)).not.toBeNull();
  });
});
