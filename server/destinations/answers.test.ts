import { describe, expect, it } from 'vitest';
import { aDestination } from '../test/builders.ts';
import { databases } from '../test/databases.ts';
import { answering, aReceiver } from '../test/receiver.ts';
import { createTestApp, NOW } from '../test/test-app.ts';
import { AT_HOME, at, deliveriesOf, later, recordOf, switchSubmission } from './test/sending.ts';

describe.each(databases)('what a receiver says, on %s', (dialect) => {
  it('is kept whatever is in it: signs that no text may hold do not have the message sent again', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const receiver = await aReceiver(answering(200, {}, 'Taken\u0000\u0007😀'));
    const made = await aDestination(app, { url: receiver.url, events: ['submission.closed'] });
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    await at(app, later(NOW, 600));
    expect(receiver.received).toHaveLength(1);
    expect(await recordOf(app, made)).toMatchObject({ waiting: 0, last_error: null });
    expect((await deliveriesOf(app, made)).map(({ answer }) => answer)).toEqual(['Taken 😀']);
  });

  it('tells no part of the address, however it writes that down', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const receiver = await aReceiver((response, { path }) => {
      const said = [path, path.replaceAll('/', '\\/'), encodeURIComponent(path), path.split('/').at(-1), path.replaceAll('&', '&amp;')];
      response.writeHead(500).end(said.join(' '));
    });
    const made = await aDestination(app, {
      url: `${receiver.url}api/webhooks/123/aB-_s3cret0?a=t0kent0ken&b=k3yk3yk3y`,
      events: ['submission.closed'],
    });
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    const [delivery] = await deliveriesOf(app, made);
    expect(delivery?.answer).toContain('123');
    expect(delivery?.answer).not.toMatch(/s3cret|t0ken|k3y/);
  });
});
