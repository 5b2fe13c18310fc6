import { wholeBoard } from '../../shared/schemas/whole-board.ts';
import { type Route, route, SENT } from '../http/route.ts';
import { writtenOnce } from '../http/written-snapshot.ts';
import { roleOf } from './role.ts';
import { takeSnapshot } from './snapshot.ts';

const sendBoard = writtenOnce(
  async ({ changed_at, epoch, write }) =>
    `{"success":true,"data":{"clock":${changed_at},"epoch":${JSON.stringify(epoch)},"snapshot":${await write()}}}`,
);

export const liveRoutes: Route[] = [
  route(
    {
      method: 'get',
      path: '/snapshot',
      access: 'reader',
      summary: 'The whole board as the live protocol has it, compressed: a watcher begins with it, then syncs from its clock',
      answer: wholeBoard,
      keptReady: true,
    },
    async ({ ctx, caller, req, res }) => {
      await sendBoard(req, res, await takeSnapshot(ctx, roleOf(caller)));
      return SENT;
    },
  ),
];
