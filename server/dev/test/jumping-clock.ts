import type { Dialect } from '../../db/database.ts';
import { createMachine, type TestMachine } from './machine.ts';
import { createTestApp, NOW, type TestApp, type TestAppOptions } from './test-app.ts';

export interface JumpingClock {
  app: TestApp;
  machine: TestMachine;
  /** Sets the clock that the server goes by so far ahead of the right time: the database's with PostgreSQL. */
  jump: (ahead_ms: number) => Promise<void>;
  /** Minutes go by, and the server is there. */
  run: (minutes: number) => Promise<void>;
  /** Minutes go by, and no server is there. */
  away: (minutes: number) => void;
}

/** A server whose clock may jump, and that may be away. */
export async function createJumpingClock(
  dialect: Dialect,
  options: TestAppOptions = {},
): Promise<JumpingClock> {
  const machine = createMachine(NOW);
  let databaseAhead_ms = 0;
  const readDatabaseTime = async (): Promise<number> => machine.rightTime() + databaseAhead_ms;
  const app = await createTestApp(dialect, {
    ...options,
    machine,
    ...(dialect === 'postgres' ? { readDatabaseTime } : {}),
  });
  return {
    app,
    machine,
    jump: async (ahead_ms) => {
      if (dialect === 'sqlite') return machine.setWall(ahead_ms);
      databaseAhead_ms = ahead_ms;
      await app.ctx.clock.check(true);
    },
    run: async (minutes) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        machine.pass(60_000);
        await app.beat();
      }
    },
    away: (minutes) => machine.pass(minutes * 60_000),
  };
}
