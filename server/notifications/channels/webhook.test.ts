import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { answering, aReceiver } from '../../dev/test/receiver.ts';
import { createPost, type OutboundMessage } from '../outbound/post.ts';
import { newSecret, webhookRequest } from './messages.ts';

const event = {
  type: 'submission.closed',
  timestamp: '2026-11-21T18:00:00.000Z',
  data: { guild_name: 'Ñandú „Rose" \u202e\ud83d\ude00', submission_enabled: 0 },
} as const;
const FRESH = newSecret();
const OLD = newSecret();
/** The verifier goes by the real clock. */
const signing = { id: 'msg_7_3', url: 'http://127.0.0.1/', secrets: [FRESH], now: new Date() };

const verified = (
  secret: string,
  { headers, body }: Pick<OutboundMessage, 'headers' | 'body'>,
): unknown => new Webhook(secret).verify(String(body), headers);

describe('a message of a webhook', () => {
  it('is accepted by Standard Webhooks’ own verifier, byte for byte', async () => {
    const receiver = await aReceiver(answering(204));
    const post = createPost({ ALLOW_PRIVATE_DESTINATIONS: '1' });
    expect(await post(webhookRequest(event, { ...signing, url: receiver.url }))).toMatchObject({
      ok: true,
    });
    const [arrived] = receiver.received;
    const headers = Object.fromEntries(
      Object.entries(arrived?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(verified(FRESH, { headers, body: arrived?.body ?? '' })).toEqual(event);
    expect(headers).toMatchObject({ 'webhook-id': 'msg_7_3', 'content-type': 'application/json' });
    expect(headers['content-length']).toBe(String(Buffer.byteLength(arrived?.body ?? '')));
  });

  it('has a type, a time and its data, and nothing else', () => {
    const stored = { ...event, id: 7, body: 'x' };
    expect(JSON.parse(String(webhookRequest(stored, signing).body))).toEqual(event);
  });

  it('is signed with the new secret and with the old one for as long as both are valid', () => {
    const both = webhookRequest(event, { ...signing, secrets: [FRESH, OLD] });
    expect(verified(FRESH, both)).toEqual(event);
    expect(verified(OLD, both)).toEqual(event);
    expect(() => verified(OLD, webhookRequest(event, signing))).toThrow('No matching signature');
    expect(() => verified(newSecret(), both)).toThrow('No matching signature');
  });

  it('is refused where anything of it was changed on its way', () => {
    const { headers, body } = webhookRequest(event, signing);
    expect(() =>
      verified(FRESH, { headers, body: String(body).replace('Rose', 'Nose') }),
    ).toThrow();
    expect(() =>
      verified(FRESH, { headers: { ...headers, 'webhook-id': 'msg_8_3' }, body }),
    ).toThrow();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() =>
      verified(FRESH, { headers: { ...headers, 'webhook-timestamp': later }, body }),
    ).toThrow();
  });

  it('has the time of the attempt: a late message is not taken for a replayed one', () => {
    const late = new Date(Date.now() + 60_000);
    expect(webhookRequest(event, { ...signing, now: late }).headers['webhook-timestamp']).toBe(
      String(Math.floor(late.getTime() / 1000)),
    );
  });
});
