import type { CheckName } from '../../../shared/rules/findings.ts';
import type { Check, CheckContext, Finding, Result } from './check.ts';
import { backup } from './checks/backup.ts';
import { clock, counts, database, integrity, occupancy } from './checks/database.ts';
import { disk, files, network } from './checks/folder.ts';
import { address, live, page } from './checks/public.ts';
import { build, due, jobs, node, notificationChannels, port, settings } from './checks/server.ts';

/** In this order: fast checks and those that explain most first, those that read everything last. */
const CHECKS: readonly Check[] = [
  settings,
  node,
  build,
  port,
  files,
  disk,
  network,
  database,
  clock,
  address,
  page,
  live,
  jobs,
  due,
  notificationChannels,
  backup,
  integrity,
  occupancy,
  counts,
];

/** Findings of the check `database` after which nothing else can be read. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'missing',
  'fileMissing',
  'logMissing',
  'logForeign',
  'away',
  'damaged',
  'empty',
  'older',
  'newer',
  'tookTooLong',
  'broke',
]);

const isReadable = (findings: readonly Finding[]): boolean =>
  !findings.some(({ name, finding }) => name === 'database' && UNREADABLE.has(finding));

/** Runs the named checks one after the other. @param found findings of earlier checks */
export async function* examine(
  ctx: CheckContext,
  names: readonly CheckName[],
  found: readonly Finding[] = [],
): AsyncGenerator<{ begun: CheckName; within_s: number } | Finding> {
  let readable = isReadable(found);
  for (const { name, within_s, readsDatabase, run } of CHECKS) {
    if (!names.includes(name)) continue;
    yield { begun: name, within_s };
    const finding: Finding =
      readsDatabase && !readable
        ? { name, finding: 'notLooked' }
        : { name, ...(await run(ctx).catch(broken)) };
    readable &&= isReadable([finding]);
    yield finding;
  }
}

/** The driver's reason, if the database layer has wrapped it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function broken(error: unknown): Result {
  return { finding: 'broke', params: { reason: reasonOf(error).split('\n', 1)[0] ?? '' } };
}
