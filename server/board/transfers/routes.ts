import { z } from 'zod';
import { transfer } from '../../../shared/schemas/transfer.ts';
import type { Reader } from '../../db/database.ts';
import { routeFor } from '../../http/router.ts';
import { openTransfers, openTransfersOf } from './transfer-store.ts';

const route = routeFor<Reader>();

export const transferRoutes = [
  route(
    {
      method: 'get',
      path: '/transfers',
      access: 'reader',
      summary: "List open transfers to and from the caller's character; for admins all of them",
      answer: z.array(transfer),
    },
    async ({ ctx, caller }) => {
      if (caller.role === 'visitor') return [];
      return caller.role === 'member' ? openTransfersOf(ctx.db, caller.character_key) : openTransfers(ctx.db);
    },
  ),
];
