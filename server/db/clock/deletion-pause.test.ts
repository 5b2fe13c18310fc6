import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { changeUnheard } from '../../dev/test/builders.ts';
import { freshDatabase } from '../../dev/test/databases.ts';
import { createMachine, machineAhead } from '../../dev/test/machine.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';

const DAY_MS = 86_400_000;

const anAnswer = (app: TestApp, created_at: string) =>
  changeUnheard(app, (tx) =>
    tx
      .insertInto('idempotent_answers')
      .values({
        credential_hash: 'c',
        idempotency_key: created_at,
        request_hash: 'r',
        answer: '{}',
        created_at,
      })
      .execute(),
  );
const answers = async (app: TestApp): Promise<number> =>
  (await app.ctx.db.selectFrom('idempotent_answers').select('answer').execute()).length;

it('on SQLite nothing is deleted by age for an hour after the clock jumped, and the System tab says why', async () => {
  const machine = createMachine(NOW);
  const app = await createTestApp('sqlite', { machine });
  await anAnswer(app, NOW);
  machine.setWall(3 * DAY_MS);
  await app.runDue();
  expect(await answers(app)).toBe(1);
  const { body } = await app.api.get('/admin/system').set(app.admin).expect(200);
  expect(body.data.clock.deletion_paused).toMatchObject({ reason: 'jumped', seconds: 259_200 });
  machine.pass(2 * 3_600_000);
  await app.runDue();
  expect(await answers(app)).toBe(0);
});

it('pauses after a start whose newest stored time is more than a week ago', async () => {
  const database = await freshDatabase('sqlite');
  const first = await createTestApp('sqlite', { on: database, machine: createMachine(NOW) });
  expect(first.ctx.clock.deletionPaused()).toBeNull();
  const eightDaysLater = new Date(Date.parse(NOW) + 8 * DAY_MS).toISOString();
  const { createContext } = await import('../../context.ts');
  const { ctx } = first;
  const second = await createContext({
    env: ctx.env,
    log: ctx.log,
    machine: createMachine(eightDaysLater),
    database: openedBy(first),
  });
  expect(second.clock.deletionPaused()).toMatchObject({ reason: 'longAgo' });
});

/** The database as a server has it open; it stays open. */
function openedBy({ ctx }: TestApp) {
  const { db, longReads, dialect } = ctx;
  const close = async (): Promise<void> => {};
  return {
    db,
    longReads,
    dialect,
    writer: db,
    longWriter: db,
    file: null,
    withoutTimeouts: <T>(work: (on: typeof db) => Promise<T>) => work(db),
    checkpoint: () => {},
    close,
  };
}

it('with PostgreSQL a server whose machine is a day ahead uses the database’s time, and reports it at /readyz', async () => {
  const app = await createTestApp('postgres', { machine: machineAhead(DAY_MS) });
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(app.ctx.db);
  expect(Math.abs(app.ctx.now().getTime() - (rows[0]?.at.getTime() ?? 0))).toBeLessThan(60_000);
  const ready = await fetch(`${app.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'not ready', reason: "the clock of this machine is 86400 s ahead of the database's" },
  ]);
});
