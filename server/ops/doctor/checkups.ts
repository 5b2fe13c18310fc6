import { CHECK_NAMES } from '../../../shared/rules/findings.ts';
import { checkResult, type SystemCheckup } from '../../../shared/schemas/system.ts';
import type { BackOff } from '../../db/back-off.ts';
import { defineMemory } from '../../db/memory.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { type Feature, notifyingJobsOf } from '../../feature.ts';
import type { JobContext } from '../../jobs/job-kind.ts';
import {
  type BegunRun,
  beginRun,
  createRequestedRuns,
  isAlive,
  type RequestedRuns,
  type RunKind,
} from '../runs.ts';
import type { Finding } from './check.ts';
import { reportOf } from './report.ts';
import { type RunOptions, runChecks } from './run-checks.ts';

/** The System tab's runs of all checks: one at a time on a database, which keeps the findings of the last one. */
export interface Checkups extends RequestedRuns {
  /** The same on every server. */
  state: () => Promise<SystemCheckup>;
}

export interface CheckupContext extends Writing {
  log: JobContext['log'];
  features: readonly Pick<Feature<never>, 'name' | 'jobs'>[];
  /** For tests. */
  worker?: RunOptions['worker'];
}

const storedChecks = checkResult.array();

export const checkups = defineMemory(createCheckups);

export function createCheckups(checking: CheckupContext): Checkups {
  const { db, log, now } = checking;
  const begin = async () => {
    const run = await beginRun(checking, CHECKUPS, {});
    return run && ((signal: AbortSignal) => runAll(checking, run, signal));
  };
  return {
    ...createRequestedRuns(log, begin, 'the checks could not be run'),
    state: async () => {
      const rows = await db.selectFrom('checkups').selectAll().orderBy('id', 'desc').execute();
      const last = rows.find(({ ended_at }) => ended_at !== null);
      const current = rows.find((row) => row.ended_at === null && isAlive(row, now()));
      return {
        last: last?.ended_at
          ? {
              started_at: last.started_at,
              ended_at: last.ended_at,
              checks: storedChecks.parse(JSON.parse(last.checks ?? '[]')),
            }
          : null,
        running: current
          ? {
              started_at: current.started_at,
              looking_at: current.looking_at,
              done: current.done,
              of: CHECK_NAMES.length,
            }
          : null,
      };
    },
  };
}

const CHECKUPS: RunKind = {
  table: 'checkups',
  kept: 1,
  fail: async (tx, ids) => {
    await tx.deleteFrom('checkups').where('id', 'in', ids).execute();
  },
};

async function runAll(
  { env, now, backOff, features, worker }: CheckupContext,
  run: BegunRun,
  signal: AbortSignal,
): Promise<void> {
  await run(async (report) => {
    const found: Finding[] = [];
    let looking_at: string | null = null;
    const options = { env, now, signal, notifyingJobs: notifyingJobsOf(features) };
    for await (const progress of runChecks({ ...options, ...(worker ? { worker } : {}) })) {
      if ('begun' in progress) looking_at = progress.begun;
      else found.push(withFailures(progress, backOff, now()));
      report({ looking_at, done: found.length });
    }
    return { checks: JSON.stringify(found.map(reportOf)) };
  });
}

/** Only this process knows which deadlines it fails to process. */
function withFailures(finding: Finding, backOff: Pick<BackOff, 'names'>, now: Date): Finding {
  const names = finding.name === 'due' ? backOff.names(now) : [];
  return names.length === 0
    ? finding
    : { name: 'due', finding: 'failing', params: { sources: names.join(', ') } };
}
