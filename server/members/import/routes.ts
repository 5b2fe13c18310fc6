import { DomainError } from '../../../shared/errors.ts';
import {
  importAnswer,
  MAX_IMPORT_ROWS,
  membersImport,
  respawnsImport,
} from '../../../shared/schemas/import.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { routeFor } from '../../http/router.ts';
import { importMembers, previewMembers } from './members.ts';
import { importRespawns, previewRespawns } from './respawns.ts';

const route = routeFor<Writing>();

export const importRoutes = [
  route(
    {
      method: 'post',
      path: '/admin/import/respawns',
      access: 'guild',
      summary: `Import respawns from a table of at most ${MAX_IMPORT_ROWS} rows; with \`preview\` only list the changes`,
      body: respawnsImport,
      largeBody: true,
      answer: importAnswer,
    },
    ({ ctx, caller, body: { rows, preview } }) =>
      oneImport(caller, () =>
        preview ? previewRespawns(ctx, rows) : importRespawns(ctx, caller, rows),
      ),
  ),
  route(
    {
      method: 'post',
      path: '/admin/import/members',
      access: 'guild',
      summary: `Import members from a table of at most ${MAX_IMPORT_ROWS} rows: creates keys, changes member types; with \`preview\` only lists the changes`,
      body: membersImport,
      largeBody: true,
      answer: importAnswer,
    },
    ({ ctx, caller, body: { rows, preview } }) =>
      oneImport(caller, () =>
        preview ? previewMembers(ctx, rows) : importMembers(ctx, caller, rows),
      ),
  ),
];

/** Seconds after which a refused admin may retry: 2,000 lines take a fraction of one. */
const RETRY_AFTER_S = 1;

/** Ids of admins with a running preview or import. */
const busy = new Set<number>();

/**
 * Runs one preview or import of an admin at a time: each holds a whole file in memory.
 * @throws DomainError import.busy while another one of this admin is running
 */
async function oneImport<T>({ admin_id }: Admin, work: () => Promise<T>): Promise<T> {
  if (busy.has(admin_id)) throw new DomainError('import.busy', { seconds: RETRY_AFTER_S });
  busy.add(admin_id);
  try {
    return await work();
  } finally {
    busy.delete(admin_id);
  }
}
