import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { postgresUrl } from '../dev/test/databases.ts';
import { startFaultProxy } from '../dev/test/fault-proxy.ts';
import { DatabaseAway } from './errors.ts';
import { patientPool } from './postgres.ts';

it('never reuses a connection that stopped answering, nor those that were idle then', async () => {
  const proxy = await startFaultProxy(`${postgresUrl()}/postgres`);
  const pool = new pg.Pool({ connectionString: proxy.url, max: 3, idleTimeoutMillis: 0 });
  pool.on('error', () => {});
  let era = 0;
  const distrust = (): void => {
    era += 1;
  };
  const patient = patientPool(
    pool,
    { away: () => {}, answered: () => {}, distrust, era: () => era },
    { answerWithinMs: 2_000 },
  );
  onTestFinished(async () => {
    await proxy.close();
    await pool.end();
  });
  const askAll = async () => {
    const lent = await Promise.all([1, 2, 3].map(() => patient.connect()));
    const rows = await Promise.all(
      lent.map(async (client) => (await client.query('select 1 as one', [])).rows),
    );
    for (const client of lent) client.release();
    return rows;
  };
  const ones = [[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]];
  expect(await askAll()).toEqual(ones);
  expect(pool.idleCount).toBe(3);

  proxy.become('swallow');
  const silent = await patient.connect();
  await expect(silent.query('select 1', [])).rejects.toBeInstanceOf(DatabaseAway);
  // Kysely rolls back next: that waits for nothing.
  await expect(silent.query('rollback', [])).rejects.toBeInstanceOf(DatabaseAway);
  silent.release();
  expect(pool.totalCount).toBe(2);

  proxy.become('pass');
  expect(await askAll()).toEqual(ones);
});
