import supertest from 'supertest';
import { describe, expect, it, vi } from 'vitest';
import { aClaim, aKey, submitted } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { manyClaims } from '../dev/test/many-claims.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';

async function bytes(app: TestApp): Promise<Record<string, number>> {
  const { text } = await supertest(app.url).get('/metrics').expect(200);
  const found = text.matchAll(/claimboard_storage_bytes\{table="(\w+)"\} (\d+)/g);
  return Object.fromEntries([...found].map(([, table, size]) => [table, Number(size)]));
}

describe.each(databases)('bytes of growing tables on %s', (dialect) => {
  it('are among the metrics', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key));
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    await manyClaims(app, { count: 2_000 });
    const { claims = 0, archive = 0, activity = 0, undo = 0 } = await bytes(app);
    expect(archive).toBeGreaterThan(0);
    expect(claims).toBeGreaterThan(200_000);
    expect(activity).toBeGreaterThan(0);
    const piece = await app.ctx.db
      .selectFrom('undo_pieces')
      .select('body')
      .executeTakeFirstOrThrow();
    expect(undo).toBeGreaterThan(Buffer.byteLength(piece.body));
  });

  it('are measured once in ten minutes, for any number of requests, and only the first waits', async () => {
    const app = await createTestApp(dialect);
    const set = vi.spyOn(app.ctx.metrics.storageBytes, 'set');
    await Promise.all([app.ctx.measureStored(), app.ctx.measureStored()]);
    await app.ctx.measureStored();
    expect(set).toHaveBeenCalledTimes(4);
    app.setNow('2026-11-21T18:10:00.000Z');
    await app.ctx.measureStored();
    // No request waited for the new measurement.
    expect(set).toHaveBeenCalledTimes(4);
    await vi.waitFor(() => expect(set).toHaveBeenCalledTimes(8));
  });
});
