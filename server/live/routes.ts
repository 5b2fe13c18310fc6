import { z } from 'zod';
import { ALL_KINDS, isBoardKind } from '../../shared/kinds.ts';
import { roomOf } from '../http/caller.ts';
import { routeFor, SENT } from '../http/router.ts';
import type { ReadModel } from './read-model.ts';
import type { RecordSources } from './record-kinds.ts';
import { sendOncePrepared } from './snapshot-response.ts';

const route = routeFor<{ readModel: ReadModel }>();

/** The answer's shape: a list for each kind; those that only admins see are optional. */
export function wholeBoardSchema(sources: RecordSources) {
  const lists = ALL_KINDS.map((kind) => {
    const list = z.array<z.ZodType>(sources[kind].schema);
    return [kind, isBoardKind(kind) ? list : list.exactOptional()] as const;
  });
  return z.object({ clock: z.number().int().min(0), epoch: z.string(), snapshot: z.object(Object.fromEntries(lists)) });
}

const sendBoard = sendOncePrepared(
  async ({ changed_at, epoch, toJson }) =>
    `{"success":true,"data":{"clock":${changed_at},"epoch":${JSON.stringify(epoch)},"snapshot":${await toJson()}}}`,
);

export const liveRoutes = (sources: RecordSources) => [
  route(
    {
      method: 'get',
      path: '/snapshot',
      access: 'reader',
      summary: 'The whole board as the live protocol has it, compressed: a watcher begins with it, then syncs from its clock',
      answer: wholeBoardSchema(sources),
    },
    async ({ ctx, caller, req, res }) => {
      await sendBoard(req, res, await ctx.readModel.snapshot(roomOf(caller)));
      return SENT;
    },
  ),
];
