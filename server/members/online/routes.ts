import { omit } from '../../../shared/omit.ts';
import { onlineHunters } from '../../../shared/schemas/online.ts';
import type { Reading } from '../../db/database.ts';
import { routeFor } from '../../http/router.ts';
import { shownOnline } from '../../live/online.ts';

const route = routeFor<Reading>();

export const onlineRoutes = [
  route(
    {
      method: 'get',
      path: '/online',
      access: 'reader',
      summary:
        'Say who of the running and next hunters is online in the game; null: unknown, or switched off',
      answer: onlineHunters.nullable(),
    },
    async ({ ctx, caller }) => {
      const hunters = await shownOnline(ctx);
      if (!hunters) return null;
      return caller.role === 'admin' ? hunters : omit(hunters, 'offline');
    },
  ),
];
