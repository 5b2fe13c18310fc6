import { DomainError, type ErrorCode, type Params } from '../../../../shared/errors.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';

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

/** R4.10: a respawn that is disabled or gone takes no claims. */
export function respawnRefusal(respawn: Respawn | undefined): RuleRefusal | null {
  if (!respawn) return { code: 'respawn.notFound', params: {} };
  return respawn.is_enabled ? null : { code: 'respawn.disabled', params: { respawn_name: respawn.name } };
}
