import { expect, it } from 'vitest';
import { aPushSubscription } from '../test/push.ts';
import { renewSubscription } from './notifications.ts';
import type { StoredPush } from './push-store.ts';

const KEPT: StoredPush = {
  endpoint: 'https://push.example/old',
  public_key: 'BKEY',
  language: 'es',
  unreadable: { title: '', body: '' },
  members: [
    { name: 'Arden Vale', access_key: 'ARDENS-KEY' },
    { name: 'Mira Stormcrow', access_key: 'MIRAS-KEY' },
  ],
};

async function renewed(made: PushSubscription | null, fails = false): Promise<string[]> {
  const calls: string[] = [];
  await renewSubscription({
    kept: KEPT,
    made,
    subscribe: async (key) => {
      calls.push(`subscribe to ${key}`);
      return aPushSubscription({ endpoint: 'https://push.example/new' });
    },
    fetch: async (url, { method, headers, body } = {}) => {
      const { endpoint, language = '' } = JSON.parse(String(body));
      calls.push(
        `${method} ${url} ${new Headers(headers).get('X-Access-Key')} ${endpoint} ${language}`.trim(),
      );
      if (fails) throw new TypeError('no network');
      return new Response();
    },
  });
  return calls;
}
const RENEWALS = KEPT.members.flatMap(({ access_key }) => [
  `POST /api/push/subscriptions ${access_key} https://push.example/new es`,
  `DELETE /api/push/subscriptions ${access_key} https://push.example/old`,
]);

it('a subscription that the browser dropped is made again, and the server told for each character', async () => {
  expect(await renewed(null)).toEqual(['subscribe to BKEY', ...RENEWALS]);
});

it('a subscription that the browser renewed is sent to the server', async () => {
  expect(await renewed(aPushSubscription({ endpoint: 'https://push.example/new' }))).toEqual(
    RENEWALS,
  );
});

it('one call that fails does not keep the others from being made', async () => {
  expect(await renewed(null, true)).toEqual(['subscribe to BKEY', ...RENEWALS]);
});
