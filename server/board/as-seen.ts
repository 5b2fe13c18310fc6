import { DomainError, type ErrorCode } from '../../shared/errors.ts';

/**
 * Compares a record with what the caller's editor showed, so that no edit overwrites another one unseen. A caller that sends nothing
 * overwrites.
 * @throws DomainError with `code` if a field has changed
 */
export function assertAsSeen(
  stored: object,
  seen: object | null | undefined,
  code: ErrorCode,
): void {
  const values = new Map<string, unknown>(Object.entries(stored));
  const differs = ([field, value]: [string, unknown]): boolean =>
    JSON.stringify(values.get(field)) !== JSON.stringify(value);
  if (Object.entries(seen ?? {}).some(differs)) throw new DomainError(code);
}
