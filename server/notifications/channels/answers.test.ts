import { describe, expect, it } from 'vitest';
import { aDestination } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { answering, aReceiver } from '../../dev/test/receiver.ts';
import { createTestApp, NOW } from '../../dev/test/test-app.ts';
import { MAX_KEPT_BYTES } from '../outbound/post.ts';
import { answerText } from './send.ts';
import {
  AT_HOME,
  at,
  deliveriesOf,
  later,
  shownChannel,
  switchSubmission,
} from './test/sending.ts';

describe.each(databases)('responses of a receiver, on %s', (dialect) => {
  it("is stored with any content: forbidden characters don't cause another attempt", async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const receiver = await aReceiver(answering(200, {}, 'Taken\u0000\u0007😀'));
    const made = await aDestination(app, { url: receiver.url, events: ['submission.closed'] });
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    await at(app, later(NOW, 600));
    expect(receiver.received).toHaveLength(1);
    expect(await shownChannel(app, made)).toMatchObject({ waiting: 0, last_error: null });
    expect((await deliveriesOf(app, made)).map(({ answer }) => answer)).toEqual(['Taken 😀']);
  });

  it('contains no part of the address in any encoding', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const receiver = await aReceiver((response, { path }) => {
      const variants = [
        path,
        path.replaceAll('/', '\\/'),
        encodeURIComponent(path),
        path.split('/').at(-1),
        path.replaceAll('&', '&amp;'),
      ];
      response.writeHead(500).end([...variants, 'Error 123'].join(' '));
    });
    const made = await aDestination(app, {
      url: `${receiver.url}api/webhooks/123/aB-_s3cret0?a=t0kent0ken&b=k3yk3yk3y`,
      events: ['submission.closed'],
    });
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    const [delivery] = await deliveriesOf(app, made);
    expect(delivery?.answer).toContain('Error 123');
    expect(delivery?.answer).not.toMatch(/s3cret|t0ken|k3y/);
  });
});

describe('the stored response', () => {
  const PATH = 'private-room/of-the-guild';
  const URL = `https://hooks.example/${PATH}`;
  const variants = (body: string): string =>
    answerText({ ok: true, status: 400, headers: {}, body }, URL);

  it.each([
    ['upper case', URL.toUpperCase()],
    ['base64', Buffer.from(URL).toString('base64')],
    ['base64 of its path', Buffer.from(`x${PATH}`).toString('base64url')],
    ['hexadecimal digits', Buffer.from(URL).toString('hex')],
    ['hexadecimal digits in upper case', Buffer.from(PATH).toString('hex').toUpperCase()],
    ['percent-encoding, twice', encodeURIComponent(encodeURIComponent(URL))],
    ['JSON', JSON.stringify({ url: URL }).replaceAll('/', '\\/')],
    ['base64 of JSON', Buffer.from(JSON.stringify({ url: URL })).toString('base64')],
  ])('does not show the address in %s', (_, echoed) => {
    const kept = variants(`No message for ${echoed} today`);
    expect(kept).toMatch(/^No message for \S*…\S* today$/u);
    for (const part of [echoed, 'private-room', 'of-the-guild'])
      expect(kept.toLowerCase()).not.toContain(part.toLowerCase());
  });

  it('does not show half of the address where the answer was cut off', () => {
    const cut = `${`${URL} `.repeat(100)}`.slice(0, MAX_KEPT_BYTES);
    expect(cut.at(-1)).not.toBe(' ');
    expect(variants(cut)).not.toMatch(/private|guild/);
  });

  it('is otherwise as the receiver wrote it', () => {
    const body =
      '{"error":{"code":"not_in_channel","message":"The bot is not in this channel. See https://hooks.example/docs"}}';
    expect(variants(body)).toBe(body);
  });
});
