import { clientError } from '../../../shared/schemas/client-error.ts';
import type { Env } from '../../env.ts';
import { addressOf } from '../../http/client-address.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import type { ErrorLog } from './report.ts';
import { logClientError } from './report.ts';

const route = routeFor<ErrorLog & { env: Env }>();

export const clientErrorRoutes = [
  route(
    {
      method: 'post',
      path: '/client-errors',
      access: 'open',
      summary: 'Report an error of a page, for the log: without keys, tokens and query strings, at most 20 in five minutes',
      body: clientError,
      answer: noAnswer,
    },
    async ({ ctx, req, body }) => logClientError(ctx, { address: addressOf(req, ctx.env), browser: req.get('user-agent') }, body),
  ),
];
