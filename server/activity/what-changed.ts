import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../shared/errors.ts';

type Facts<F extends string> = Readonly<Record<F, Json>>;

/** From what to what, for the activity log: those of the fields in which a record differs from what it was. */
export function whatChanged<F extends string>(
  before: Facts<F>,
  after: Facts<F>,
  fields: readonly F[],
): Record<string, { from: Json; to: Json }> {
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
}
