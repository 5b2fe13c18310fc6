import { DomainError, type ErrorCode, type Params } from '../../shared/errors.ts';

/** A refusal by a rule of shared/rules, as the server would answer it. */
export interface RuleRefusal {
  code: ErrorCode;
  params: Params;
}

export function refusalOf(rule: () => void): RuleRefusal | null {
  try {
    rule();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, params: error.params };
    throw error;
  }
}
