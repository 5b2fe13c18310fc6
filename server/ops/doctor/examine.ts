import { type CheckName, stateOf } from '../../../shared/rules/findings.ts';
import { CHECKS } from './checks.ts';
import type { FoundSomewhere } from './finding.ts';
import type { Patient } from './patient.ts';

export interface Finding extends FoundSomewhere {
  name: CheckName;
}

/** What of the database says that the rest of it is not to be read: a file that is none, or another version's tables. */
const UNREAD: ReadonlySet<string> = new Set(['missing', 'away', 'damaged', 'empty', 'older', 'newer', 'tookTooLong', 'broke']);

/** Whether the rest of the database can be read, by what was found so far. */
export const isReadable = (findings: readonly Finding[]): boolean =>
  !findings.some(({ name, finding }) => name === 'database' && UNREAD.has(finding));

/**
 * Looks at everything, or at what is named, one after the other; whatever a look throws is a finding.
 * @param found what is known from before
 */
export async function* examine(
  patient: Patient,
  names: readonly CheckName[],
  found: readonly Finding[] = [],
): AsyncGenerator<{ begun: CheckName; within_s: number } | Finding> {
  let readable = isReadable(found);
  for (const { name, within_s, reads, look } of CHECKS) {
    if (!names.includes(name)) continue;
    yield { begun: name, within_s };
    const finding: Finding = reads && !readable ? { name, finding: 'notLooked' } : { name, ...(await look(patient).catch(broken)) };
    readable &&= isReadable([finding]);
    yield finding;
  }
}

/** Of what the database's own layer says in general words, the driver's. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function broken(error: unknown): FoundSomewhere {
  return { finding: 'broke', params: { reason: reasonOf(error).split('\n', 1)[0] ?? '' } };
}

export const isWell = (findings: readonly Finding[]): boolean => findings.every(({ name, finding }) => stateOf(name, finding) !== 'failed');
