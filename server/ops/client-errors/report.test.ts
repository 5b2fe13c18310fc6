import supertest from 'supertest';
import { expect, it, vi } from 'vitest';
import { MAX_ERROR_MESSAGE, MAX_ERROR_STACK } from '../../../shared/rules/client-error.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { MAX_PER_ADDRESS, MAX_REPORTS } from './report.ts';

const ERROR = {
  message: 'x is not a function',
  stack: 'at f (/static/first-1.js:1:2)',
  page: '/input',
};
const WAIT = 'Too many attempts. Please wait 300 seconds.';

const report = (app: TestApp, body: object, address = '203.0.113.7') =>
  app.api
    .post('/client-errors')
    .set('X-Forwarded-For', address)
    .set('User-Agent', 'Firefox')
    .send(body);
const counted = async (app: TestApp): Promise<string | undefined> =>
  /^claimboard_client_errors_total (\d+)$/m.exec(
    (await supertest(app.url).get('/metrics')).text,
  )?.[1];

it('logs a browser’s error and counts it', async () => {
  const app = await createTestApp('sqlite');
  const logged = vi.spyOn(app.ctx.log, 'warn');
  const { body } = await app.api
    .post('/client-errors')
    .set('User-Agent', 'Firefox')
    .send(ERROR)
    .expect(200);
  expect(body).toEqual({ success: true });
  expect(logged.mock.calls).toEqual([
    [{ client: { ...ERROR, browser: 'Firefox' } }, 'a page failed in a browser'],
  ]);
  expect(await counted(app)).toBe('1');
});

it('logs no key, token or query string, from any caller', async () => {
  const app = await createTestApp('sqlite');
  const logged = vi.spyOn(app.ctx.log, 'warn');
  const token = app.admin.Authorization.replace('Bearer ', '');
  const secrets = {
    message: `K7QM-2F9A-XW3C ${token}`,
    stack: `at /a.js?key=K7QM-2F9A-XW3C`,
    page: `/login?next=${token}`,
  };
  await app.api.post('/client-errors').send(secrets).expect(200);
  const logText = JSON.stringify(logged.mock.calls);
  expect(logText).not.toMatch(/K7QM|key=|next=/);
  expect(logText).not.toContain(token);
});

it('logs the request that the page names, and nothing in its place', async () => {
  const app = await createTestApp('sqlite');
  const logged = vi.spyOn(app.ctx.log, 'warn');
  await app.api
    .post('/client-errors')
    .send({ ...ERROR, request_id: '4f2a9c3b7d5e1068' })
    .expect(200);
  expect(logged.mock.calls[0]?.[0]).toMatchObject({ client: { request_id: '4f2a9c3b7d5e1068' } });
  await app.api
    .post('/client-errors')
    .send({ ...ERROR, request_id: 'K7QM-2F9A-XW3C-K7QM' })
    .expect(400);
});

it('takes no more than it says', async () => {
  const app = await createTestApp('sqlite');
  for (const body of [
    {},
    { ...ERROR, message: 'x'.repeat(MAX_ERROR_MESSAGE + 1) },
    { ...ERROR, stack: 'x'.repeat(MAX_ERROR_STACK + 1) },
    { ...ERROR, page: 7 },
  ]) {
    expect((await app.api.post('/client-errors').send(body)).status).toBe(400);
  }
  expect(await counted(app)).toBe('0');
});

it('notes twenty of an address in five minutes, and of all of them a bounded number', async () => {
  const app = await createTestApp('sqlite', { env: { TRUST_PROXY: '1' } });
  for (let reports = 0; reports < MAX_PER_ADDRESS; reports++) await report(app, ERROR).expect(200);
  expectRefusal(await report(app, ERROR), 429, 'request.tooManyTries', WAIT, { seconds: 300 });
  for (let reports = MAX_PER_ADDRESS; reports < MAX_REPORTS; reports++) {
    await report(app, ERROR, `198.51.100.${Math.floor(reports / MAX_PER_ADDRESS)}`).expect(200);
  }
  expectRefusal(await report(app, ERROR, '192.0.2.1'), 429, 'request.tooManyTries', WAIT, {
    seconds: 300,
  });
  app.setNow('2026-11-21T18:05:00.000Z');
  await report(app, ERROR).expect(200);
});
