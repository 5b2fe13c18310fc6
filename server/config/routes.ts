import { configAnswer as configAnswerSchema } from '../../shared/schemas/config.ts';
import { type Route, route } from '../http/route.ts';
import { configAnswer } from './queries.ts';

export const configRoutes: Route[] = [
  route(
    { method: 'get', path: '/config', access: 'open', summary: 'Settings of the board', answer: configAnswerSchema, bare: true },
    ({ ctx }) => configAnswer(ctx),
  ),
];
