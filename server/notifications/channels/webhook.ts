import { createHmac } from 'node:crypto';
import { WEBHOOK_SECRET } from '../../../shared/credentials.ts';
import type { Letter } from '../outbound/post.ts';

/** How a message to another program is addressed and signed. */
export interface Signing {
  /** The message's: it stays over tries, so that who gets it twice knows. */
  id: string;
  url: string;
  /** All that are valid, the newest first; `whsec_` and base64. */
  secrets: readonly string[];
  /** The try's time. */
  now: Date;
}

/** What happened as Standard Webhooks says: signed with each valid secret, so that either verifies it. */
export function webhookRequest(news: { type: string; timestamp: string; data: unknown }, { id, url, secrets, now }: Signing): Letter {
  const { type, timestamp, data } = news;
  const body = JSON.stringify({ type, timestamp, data });
  const sent_at = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map((secret) => `v1,${signature(secret, `${id}.${sent_at}.${body}`)}`);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(sent_at),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

const signature = (secret: string, signed: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(WEBHOOK_SECRET.prefix.length), 'base64'))
    .update(signed)
    .digest('base64');
