import { DomainError } from '../../../shared/errors.ts';
import type { Admin } from '../../auth/callers.ts';

/** Whoever is refused may try again after so many seconds: 2,000 lines take a fraction of one. */
const RETRY_AFTER_S = 1;

/** Admins whose file is being previewed or imported now. */
const busy = new Set<number>();

/**
 * Runs one preview or import of an admin at a time: each holds a whole file in memory.
 * @throws DomainError import.busy while another one of this admin is under way
 */
export async function oneImport<T>({ admin_id }: Admin, work: () => Promise<T>): Promise<T> {
  if (busy.has(admin_id)) throw new DomainError('import.busy', { seconds: RETRY_AFTER_S });
  busy.add(admin_id);
  try {
    return await work();
  } finally {
    busy.delete(admin_id);
  }
}
