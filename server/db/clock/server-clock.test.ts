import { describe, expect, it, vi } from 'vitest';
import { archiveOld } from '../../board/archive/move.ts';
import { createMachine } from '../../dev/test/machine.ts';
import { createServerClock } from './server-clock.ts';

const NOON = '2026-11-21T12:00:00.000Z';
const log = () => ({ warn: vi.fn(), info: vi.fn() });

/** A database whose clock is right, however late it answers. */
const aDatabase = (machine: ReturnType<typeof createMachine>) => {
  const answer = { after_ms: 0, ahead_ms: 0 };
  const read = async (): Promise<number> => {
    machine.pass(answer.after_ms / 2);
    const at = machine.rightTime() + answer.ahead_ms;
    machine.pass(answer.after_ms / 2);
    return at;
  };
  return { answer, read };
};

describe('with a database that has a clock', () => {
  it("is the database's time, regardless of the machine's wall clock", async () => {
    const machine = createMachine(NOON, { wallAhead_ms: 86_400_000 });
    const { read } = aDatabase(machine);
    const clock = await createServerClock({ log: log(), readDatabaseTime: read, machine });
    expect(clock.now().toISOString()).toBe(NOON);
    machine.setWall(-7_200_000);
    machine.pass(1_500);
    expect(clock.now().toISOString()).toBe('2026-11-21T12:00:01.500Z');
    await clock.check();
    expect([clock.now().toISOString(), clock.deletionPaused()]).toEqual([
      '2026-11-21T12:00:01.500Z',
      null,
    ]);
  });

  it('takes the middle of the shortest round trip, and does not step within its error', async () => {
    const machine = createMachine(NOON);
    const { read, answer } = aDatabase(machine);
    const clock = await createServerClock({ log: log(), readDatabaseTime: read, machine });
    Object.assign(answer, { after_ms: 400, ahead_ms: 150 });
    await clock.check(true);
    expect(clock.now().getTime() - machine.rightTime()).toBe(0);
    Object.assign(answer, { after_ms: 4, ahead_ms: 150 });
    await clock.check(true);
    expect(clock.now().getTime() - machine.rightTime()).toBe(150);
  });

  it('is measured again each minute, and as soon as the machine has slept', async () => {
    const machine = createMachine(NOON);
    const { read } = aDatabase(machine);
    const counted = vi.fn(read);
    const clock = await createServerClock({ log: log(), readDatabaseTime: counted, machine });
    machine.pass(59_000);
    await clock.check();
    expect(counted).toHaveBeenCalledTimes(1);
    machine.pass(1_000);
    await clock.check();
    expect(counted).toHaveBeenCalledTimes(2);
    machine.sleep(120_000);
    await clock.check();
    expect([counted.mock.calls.length, clock.now().getTime() - machine.rightTime()]).toEqual([
      3, 0,
    ]);
  });

  it('pauses deletion where the clock of the database jumped', async () => {
    const machine = createMachine(NOON);
    const { read, answer } = aDatabase(machine);
    const clock = await createServerClock({ log: log(), readDatabaseTime: read, machine });
    answer.ahead_ms = 3_600_000;
    await clock.check(true);
    expect(clock.deletionPaused()).toMatchObject({ reason: 'jumped', seconds: 3_600 });
  });

  it('continues while the database is away, and reports after five minutes that nothing was measured', async () => {
    const machine = createMachine(NOON);
    const { read } = aDatabase(machine);
    let isAway = false;
    const clock = await createServerClock({
      log: log(),
      machine,
      readDatabaseTime: async () => {
        if (isAway) throw new Error('away');
        return read();
      },
    });
    isAway = true;
    machine.pass(300_000);
    await clock.check();
    expect([clock.now().toISOString(), clock.problem()]).toEqual([
      '2026-11-21T12:05:00.000Z',
      null,
    ]);
    machine.pass(1_000);
    await clock.check();
    expect(clock.problem()).toBe('unmeasured');
    isAway = false;
    await clock.check();
    expect(clock.problem()).toBeNull();
    machine.setWall(86_400_000);
    expect([clock.problem(), clock.machineAheadSeconds()]).toEqual(['beyondReason', 86_400]);
  });
});

describe('with the clock of the machine alone', () => {
  const aClock = async (machine: ReturnType<typeof createMachine>, to = log()) =>
    createServerClock({ log: to, readDatabaseTime: null, machine });

  it.each([6 * 60_000, -6 * 60_000, 400 * 86_400_000])(
    'pauses deletion for an hour once the wall clock jumped by %i ms',
    async (ms) => {
      const machine = createMachine(NOON);
      const warnings = log();
      const clock = await aClock(machine, warnings);
      expect(clock.deletionPaused()).toBeNull();
      machine.setWall(ms);
      expect(clock.deletionPaused()).toMatchObject({ reason: 'jumped', seconds: ms / 1_000 });
      expect(warnings.warn).toHaveBeenCalledTimes(1);
      machine.pass(3_599_000);
      expect(clock.deletionPaused()?.until.getTime()).toBe(clock.now().getTime() + 1_000);
      machine.pass(1_000);
      expect(clock.deletionPaused()).toBeNull();
    },
  );

  it('does not where it is corrected, bit by bit or by less than five minutes', async () => {
    const machine = createMachine(NOON);
    const clock = await aClock(machine);
    for (const ahead_ms of [60_000, 120_000, 360_000, 600_000, 700_000, 400_000]) {
      machine.setWall(ahead_ms);
      expect(clock.deletionPaused()).toBeNull();
    }
  });

  it.each([
    ['future', '2026-11-21T12:06:00.000Z', 360],
    ['longAgo', '2026-11-14T11:59:00.000Z', 7 * 86_400 + 60],
  ])(
    'pauses deletion at the start where the newest stored time is not credible: %s',
    async (reason, newest, seconds) => {
      const clock = await aClock(createMachine(NOON));
      clock.compareWith(new Date(newest));
      expect(clock.deletionPaused()).toMatchObject({ reason, seconds });
    },
  );

  it.each([null, '2026-11-21T12:04:00.000Z', '2026-11-15T00:00:00.000Z'])(
    'does not where it is: %s',
    async (newest) => {
      const clock = await aClock(createMachine(NOON));
      clock.compareWith(newest === null ? null : new Date(newest));
      expect(clock.deletionPaused()).toBeNull();
    },
  );
});

it('jobs that delete by age are paused', async () => {
  const { jobKindsOf } = await import('../../feature.ts');
  const { features } = await import('../../features.ts');
  const kinds = jobKindsOf(features).filter(({ deletes_by_age }) => deletes_by_age);
  expect(kinds.map(({ kind }) => kind).sort()).toEqual([
    'activity.forget',
    'answer.forget',
    archiveOld.kind,
    'code.forget',
    'direct.forget',
    'discord.forget',
    'discord.forget-sign-ins',
    'invitation.forget',
    'job.forget',
    'push.forget-reminders',
    'session.forget',
    'standing.forget',
    'standing.forget-outcomes',
    'star.forget',
    'transfer.forget',
    'undo.forget',
  ]);
});
