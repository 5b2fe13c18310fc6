import { z } from 'zod';

/** Problems with the database file; the codes of the refusals for writes. */
const storageProblem = z.enum([
  'server.storageLost',
  'server.storageDamaged',
  'server.storageReadOnly',
  'server.storageFull',
]);
export type StorageProblem = z.infer<typeof storageProblem>;

export const health = z.object({
  /** Null when all is well. */
  problem: storageProblem.nullable(),
});
export type Health = z.infer<typeof health>;
