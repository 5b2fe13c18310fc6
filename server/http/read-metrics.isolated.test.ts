import perfHooks from 'node:perf_hooks';
import supertest from 'supertest';
import { describe, expect, it, vi } from 'vitest';
import { expectRefusal } from '../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp } from '../dev/test/test-app.ts';

const LOCAL = 'Metrics can be read on the server itself, or with the METRICS_TOKEN.';
const METRICS_TOKEN = 'a-token-of-the-guild';
const FAR = '203.0.113.7';

describe('metrics', () => {
  const behindProxy = createSuiteApp('sqlite', { env: { TRUST_PROXY: '1', METRICS_TOKEN } });
  const read = (headers: Record<string, string>) =>
    supertest(behindProxy.url).get('/metrics').set(headers);

  it('are for this machine, and for callers with the token', async () => {
    await read({}).expect(200);
    await read({ 'X-Forwarded-For': FAR, Authorization: `Bearer ${METRICS_TOKEN}` }).expect(200);
    for (const headers of [
      {},
      { Authorization: 'Bearer another-token-altogether' },
      { Authorization: METRICS_TOKEN },
      behindProxy.admin,
    ]) {
      expectRefusal(
        await read({ 'X-Forwarded-For': FAR, ...headers }),
        403,
        'request.metricsLocal',
        LOCAL,
        {},
      );
    }
    // A forged header is followed by the proxy's own address.
    expectRefusal(
      await read({ 'X-Forwarded-For': `127.0.0.1, ${FAR}` }),
      403,
      'request.metricsLocal',
      LOCAL,
      {},
    );
  });

  it("are refused through a proxy that the settings don't name", async () => {
    const app = await createTestApp('sqlite');
    for (const headers of [{ 'X-Forwarded-For': '127.0.0.1' }, { Forwarded: 'for=127.0.0.1' }]) {
      expectRefusal(
        await supertest(app.url).get('/metrics').set(headers),
        403,
        'request.metricsLocal',
        LOCAL,
        {},
      );
    }
  });

  it('are rendered once for all who ask within a second', async () => {
    const app = await createTestApp('sqlite');
    const render = vi.spyOn(app.ctx.metrics.registry, 'metrics');
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    await Promise.all(
      Array.from({ length: 50 }, () => supertest(app.url).get('/metrics').expect(200)),
    );
    expect(render).toHaveBeenCalledTimes(1);
    now.mockReturnValue(1_001_000);
    await supertest(app.url).get('/metrics').expect(200);
    expect(render).toHaveBeenCalledTimes(2);
    now.mockRestore();
  });

  it('are named as Prometheus recommends: counters alone end in _total, and all have a help text', async () => {
    const { text } = await read({}).expect(200);
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => ({
      name,
      type,
    }));
    expect(
      types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter')),
    ).toEqual([]);
    expect(types.filter(({ name }) => !new RegExp(`^# HELP ${name} \\S`, 'm').test(text))).toEqual(
      [],
    );
  });

  it('tell of the process what is measured once, however many servers run in it', async () => {
    await read({}).expect(200);
    const measured = vi.spyOn(perfHooks, 'monitorEventLoopDelay');
    const another = await createTestApp('sqlite');
    for (const { url } of [behindProxy, another]) {
      const { text } = await supertest(url).get('/metrics').expect(200);
      expect(text.match(/^process_cpu_seconds_total /gm)).toHaveLength(1);
      expect(text).toContain('# TYPE claimboard_failures_total counter');
    }
    expect(measured).not.toHaveBeenCalled();
    measured.mockRestore();
  });
});

describe('a proxy that the settings do not know of', () => {
  const warnings = (app: { ctx: { log: { warn: (...args: never[]) => void } } }) =>
    vi.spyOn(app.ctx.log, 'warn');

  it('is logged once', async () => {
    const app = await createTestApp('sqlite');
    const warn = warnings(app);
    for (let i = 0; i < 5; i++)
      await app.api.get('/config').set('X-Forwarded-For', FAR).expect(200);
    expect(
      warn.mock.calls.flat().filter((line) => String(line).includes('TRUST_PROXY')),
    ).toHaveLength(1);
  });

  it('is not logged if the proxy is trusted', async () => {
    const warn = warnings(behindTrusted);
    await behindTrusted.api.get('/config').set('X-Forwarded-For', FAR).expect(200);
    expect(warn).not.toHaveBeenCalled();
  });
  const behindTrusted = createSuiteApp('sqlite', { env: { TRUST_PROXY: '1' } });
});
