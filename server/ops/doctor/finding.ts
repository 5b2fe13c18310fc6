import type { CheckName, FindingOf } from '../../../shared/rules/findings.ts';
import type { FindingParams } from '../../../shared/schemas/system.ts';
import type { Patient } from './patient.ts';

/** What a check found. What it knows of it stands in the sentences by these names. */
export type Found<N extends CheckName> = { finding: FindingOf<N>; params?: FindingParams };
/** The same of some check. */
export type FoundSomewhere = { finding: string; params?: FindingParams };

/** One thing that is looked at; it changes nothing. */
export interface Check {
  name: CheckName;
  /** How long it may take, in seconds; then its process is ended. */
  within_s: number;
  /** Whether it reads the database, and so says nothing where that cannot be read. */
  reads: boolean;
  look: (patient: Patient) => Promise<FoundSomewhere>;
}

/** A check whose findings are its own. */
export function check<N extends CheckName>(
  name: N,
  look: (patient: Patient) => Promise<Found<N>>,
  { within_s = 20, reads = false }: { within_s?: number; reads?: boolean } = {},
): Check {
  return { name, within_s, reads, look };
}
