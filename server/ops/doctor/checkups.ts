import { CHECK_NAMES } from '../../../shared/rules/findings.ts';
import { checkResult, type SystemCheckup } from '../../../shared/schemas/system.ts';
import type { BackOff } from '../../db/back-off.ts';
import { defineMemory } from '../../db/memory.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import type { JobContext } from '../../jobs/job-kind.ts';
import {
  createRequestedRuns,
  isAlive,
  keepRenewing,
  type RequestedRuns,
  serverName,
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
  /** For tests. */
  worker?: RunOptions['worker'];
}

const storedChecks = checkResult.array();

export const checkups = defineMemory(createCheckups);

export function createCheckups(checking: CheckupContext): Checkups {
  const { db, log, now } = checking;
  const begin = async () => {
    const id = await beginRecord(checking);
    if (id === null) return null;
    return async (signal: AbortSignal): Promise<void> => {
      try {
        await runAll(checking, id, signal);
      } catch (error) {
        await forgetRecord(checking, id);
        throw error;
      }
    };
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

/** @returns null if a check-up is under way */
const beginRecord = ({ writes, now }: CheckupContext): Promise<number | null> =>
  writes.transaction(async (tx) => {
    const [begun] = await tx
      .selectFrom('checkups')
      .select(['id', 'renewed_at'])
      .where('ended_at', 'is', null)
      .execute();
    if (begun && isAlive(begun, now())) return null;
    if (begun) await tx.deleteFrom('checkups').where('id', '=', begun.id).execute();
    const at = now().toISOString();
    const [row] = await tx
      .insertInto('checkups')
      .values({ server: serverName(), started_at: at, renewed_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    return row?.id ?? null;
  });

const forgetRecord = ({ writes }: CheckupContext, id: number): Promise<unknown> =>
  writes.transaction((tx) => tx.deleteFrom('checkups').where('id', '=', id).execute());

async function runAll(checking: CheckupContext, id: number, signal: AbortSignal): Promise<void> {
  const { env, writes, now, backOff, worker } = checking;
  const found: Finding[] = [];
  let looking_at: string | null = null;
  const stopRenewing = keepRenewing(checking, { table: 'checkups', id }, () => ({
    looking_at,
    done: found.length,
  }));
  try {
    for await (const progress of runChecks({ env, now, signal, ...(worker ? { worker } : {}) })) {
      if ('begun' in progress) looking_at = progress.begun;
      else found.push(withFailures(progress, backOff, now()));
    }
  } finally {
    await stopRenewing();
  }
  const checks = JSON.stringify(found.map(reportOf));
  await writes.transaction(async (tx) => {
    await tx
      .updateTable('checkups')
      .set({ checks, ended_at: now().toISOString() })
      .where('id', '=', id)
      .execute();
    await tx.deleteFrom('checkups').where('id', '<', id).execute();
  });
}

/** Only this process knows which deadlines it fails to process. */
function withFailures(finding: Finding, backOff: Pick<BackOff, 'names'>, now: Date): Finding {
  const names = finding.name === 'due' ? backOff.names(now) : [];
  return names.length === 0
    ? finding
    : { name: 'due', finding: 'failing', params: { sources: names.join(', ') } };
}
