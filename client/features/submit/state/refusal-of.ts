import { DomainError, type ErrorCode, type Params } from '../../../../shared/errors.ts';

/** A refusal that a rule of shared/rules would answer, on either side. */
export interface RuleRefusal {
  code: ErrorCode;
  params: Params;
}

/** What a rule refuses, or null when it passes. */
export function refusalOf(rule: () => void): RuleRefusal | null {
  try {
    rule();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, params: error.params };
    throw error;
  }
}
