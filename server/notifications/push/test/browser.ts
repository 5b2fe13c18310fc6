import { createECDH, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import type { pushSubscriptionInput } from '../../../../shared/schemas/push.ts';
import { asMember } from '../../../dev/test/builders.ts';
import type { TestApp } from '../../../dev/test/test-app.ts';

type Input = z.input<typeof pushSubscriptionInput>;

let count = 0;

/** The private part of a browser's subscription. */
export interface BrowserKeys {
  ecdh: ReturnType<typeof createECDH>;
  auth: string;
}

export function browserKeys(): BrowserKeys {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return { ecdh, auth: randomBytes(16).toString('base64url') };
}

/** A subscription as a browser sends it, of a push service that is never called. */
export const aSubscription = (
  fields: Partial<Input> = {},
  { ecdh, auth } = browserKeys(),
): Input => ({
  endpoint: `https://push.example/send/${++count}`,
  expirationTime: null,
  keys: { p256dh: ecdh.getPublicKey('base64url'), auth },
  ...fields,
});

export async function subscribed(
  app: TestApp,
  key: Pick<AccessKey, 'key_value'>,
  fields: Partial<Input> = {},
): Promise<Input> {
  const subscription = aSubscription(fields);
  await app.api.post('/push/subscriptions').set(asMember(key)).send(subscription).expect(201);
  return subscription;
}
