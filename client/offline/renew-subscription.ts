import type { KeptPush } from './push-store.ts';

export interface Renewal {
  kept: KeptPush;
  /** The one that the browser has made in the place of the old one, if it has. */
  made: PushSubscription | null;
  subscribe: (public_key: string) => Promise<PushSubscription>;
  fetch: typeof fetch;
}

/**
 * Tells the server under which address the browser is found by now, for each character that is told in it. The next page that
 * opens finds the old address kept, and tells the server once more what did not arrive.
 */
export async function renewSubscription({ kept, made, subscribe, fetch: call }: Renewal): Promise<void> {
  const subscription = made ?? (await subscribe(kept.public_key));
  const send = (method: string, key: string, body: object): Promise<unknown> =>
    call('/api/push/subscriptions', {
      method,
      headers: { 'Content-Type': 'application/json', 'X-Access-Key': key },
      body: JSON.stringify(body),
    }).catch(() => {});
  for (const { access_key } of kept.members) {
    await send('POST', access_key, { ...subscription.toJSON(), language: kept.language });
    if (kept.endpoint !== subscription.endpoint) await send('DELETE', access_key, { endpoint: kept.endpoint });
  }
}
