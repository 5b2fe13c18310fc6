import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { databases } from '../dev/test/databases.ts';
import { createSuiteApp, createTestApp } from '../dev/test/test-app.ts';

describe.each(databases)('probes on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const get = (path: string) => supertest(app.url).get(path);

  it('/healthz says that the process is up, /readyz that the database answers', async () => {
    expect((await get('/healthz').expect(200)).body).toEqual({ status: 'up' });
    expect((await get('/readyz').expect(200)).body).toEqual({ status: 'ready' });
  });

  it('/readyz is 503 and /healthz still 200 when the database is gone', async () => {
    const other = await createTestApp(dialect);
    await other.ctx.db.destroy();
    const reason = 'the database does not answer';
    expect((await supertest(other.url).get('/readyz').expect(503)).body).toEqual({
      status: 'not ready',
      reason,
    });
    await supertest(other.url).get('/healthz').expect(200);
  });

  it('/metrics counts requests by their route’s pattern, watchers and change sets', async () => {
    await app.api.get('/events/4711/claims').set(app.admin).expect(404);
    const { text, headers } = await get('/metrics').expect(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toContain(
      'claimboard_request_seconds_count{method="GET",route="/api/events/:id/claims",status="404"} 1',
    );
    expect(text).toContain('claimboard_change_sets_total');
    expect(text).toContain('claimboard_watchers');
    expect(text).not.toMatch(/="[^"]*4711/);
  });

  it('are open to this machine and tell no secret', async () => {
    const { text } = await get('/metrics');
    expect(text).not.toContain(app.admin.Authorization.slice('Bearer '.length));
  });
});
