import { config, configAnswer as configAnswerSchema, configChange } from '../../../shared/schemas/config.ts';
import type { LongReader } from '../../db/database.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Settings } from '../../env.ts';
import { routeFor } from '../../http/router.ts';
import { configAnswer } from '../records/config.ts';
import { updateConfig } from './config.ts';

const route = routeFor<LongReader & Writer & Settings>();

export const configRoutes = [
  route(
    { method: 'get', path: '/config', access: 'open', summary: 'Settings of the board', answer: configAnswerSchema, bare: true },
    ({ ctx }) => configAnswer(ctx),
  ),
  route(
    {
      method: 'put',
      path: '/admin/config',
      access: 'guild',
      summary:
        'Change the given settings: whether members may submit claims, how hours that are taken are waited for, whose guild may verify',
      body: configChange,
      answer: config,
    },
    ({ ctx, caller, body }) => updateConfig(ctx, caller, body),
  ),
];
