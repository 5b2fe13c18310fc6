import { z } from 'zod';

/** What may be wrong with the file that the data is in; the codes of the refusals that say the same to whoever writes. */
const storageProblem = z.enum(['server.storageLost', 'server.storageDamaged', 'server.storageReadOnly', 'server.storageFull']);
export type StorageProblem = z.infer<typeof storageProblem>;

export const health = z.object({
  /** Null when all is well. */
  problem: storageProblem.nullable(),
});
export type Health = z.infer<typeof health>;
