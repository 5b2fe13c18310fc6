import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { name } from '../../../shared/schemas/fields.ts';
import { standingClaim } from '../../../shared/schemas/standing-claim.ts';
import type { LongReader } from '../../db/database.ts';
import { routeFor } from '../../http/router.ts';
import { allStanding, standingOf } from './rules-store.ts';

const route = routeFor<LongReader>();

export const standingRoutes = [
  route(
    {
      method: 'get',
      path: '/standing',
      access: 'actor',
      summary: "A character's standing claims: a member's own by the key, for an admin those of `character_name`",
      query: z.object({ character_name: name('character.nameRequired').optional() }),
      answer: z.array(standingClaim),
    },
    ({ ctx, caller, query }) => {
      if (caller.role === 'member') return standingOf(ctx.db, caller.character_key);
      if (!query.character_name) throw new DomainError('character.nameRequired');
      return standingOf(ctx.db, nameKey(query.character_name));
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/standing',
      access: 'dashboard',
      summary: 'All standing claims, in the order in which they were made',
      answer: z.array(standingClaim),
    },
    ({ ctx }) => allStanding(ctx.db),
  ),
];
