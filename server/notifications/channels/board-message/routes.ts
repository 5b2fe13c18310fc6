import { z } from 'zod';
import { boardMessageInput, listedBoardMessage } from '../../../../shared/schemas/board-message.ts';
import { idInPath } from '../../../../shared/schemas/fields.ts';
import { noAnswer, routeFor } from '../../../http/router.ts';
import type { BoardMessageContext } from './context.ts';
import { endBoard, keepBoard } from './operations.ts';
import { listBoardMessages } from './records.ts';

const route = routeFor<BoardMessageContext>();

const params = z.object({ id: idInPath });

export const boardMessageRoutes = [
  route(
    {
      method: 'get',
      path: '/admin/board-messages',
      access: 'guild',
      summary: "List the channels that keep today's board in one message",
      answer: z.array(listedBoardMessage),
    },
    ({ ctx }) => listBoardMessages(ctx.db),
  ),
  route(
    {
      method: 'put',
      path: '/admin/destinations/:id/board-message',
      access: 'guild',
      summary:
        "Have a Discord channel keep today's board in one message, of all spots or a category",
      params,
      body: boardMessageInput,
      answer: listedBoardMessage,
    },
    ({ ctx, caller, params: { id }, body }) => keepBoard(ctx, caller, { ...body, id }),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/destinations/:id/board-message',
      access: 'guild',
      summary: "End a channel's board message: it says once that it is no longer updated",
      params,
      answer: noAnswer,
    },
    ({ ctx, caller, params: { id } }) => endBoard(ctx, caller, id),
  ),
];
