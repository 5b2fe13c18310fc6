import { importAnswer, MOST_IMPORTED, membersImport, respawnsImport } from '../../../shared/schemas/import.ts';
import { type Route, route } from '../../http/route.ts';
import { importMembers, previewMembers } from './members.ts';
import { oneImport } from './one-import.ts';
import { importRespawns, previewRespawns } from './respawns.ts';

export const importRoutes: Route[] = [
  route(
    {
      method: 'post',
      path: '/admin/import/respawns',
      access: 'guild',
      summary: `Make and change respawns by the lines of a table, ${MOST_IMPORTED} at most; with \`preview\` only tell what would be done`,
      body: respawnsImport,
      largeBody: true,
      answer: importAnswer,
    },
    ({ ctx, caller, body: { rows, preview } }) =>
      oneImport(caller, () => (preview ? previewRespawns(ctx, rows) : importRespawns(ctx, caller, rows))),
  ),
  route(
    {
      method: 'post',
      path: '/admin/import/members',
      access: 'guild',
      summary: `Make access keys and change member types by the lines of a table, ${MOST_IMPORTED} at most; likewise`,
      body: membersImport,
      largeBody: true,
      answer: importAnswer,
    },
    ({ ctx, caller, body: { rows, preview } }) =>
      oneImport(caller, () => (preview ? previewMembers(ctx, rows) : importMembers(ctx, caller, rows))),
  ),
];
