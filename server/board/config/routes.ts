import {
  config,
  configAnswer as configAnswerSchema,
  configChange,
} from '../../../shared/schemas/config.ts';
import { setup, setupChange } from '../../../shared/schemas/setup.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { routeFor } from '../../http/router.ts';
import { configAnswer } from '../records/guild.ts';
import { updateConfig } from './config.ts';
import { changeSetup, readSetup } from './setup.ts';

const configRoute = routeFor<Writing>();

export const configRoutes = [
  configRoute(
    {
      method: 'get',
      path: '/config',
      access: 'open',
      summary: "Read the board's settings",
      answer: configAnswerSchema,
      bare: true,
    },
    ({ ctx }) => configAnswer(ctx),
  ),
  configRoute(
    {
      method: 'put',
      path: '/admin/config',
      access: 'guild',
      summary:
        'Change the given settings: claim submission, waitlists, release, confirmation, guild name',
      body: configChange,
      answer: config,
    },
    ({ ctx, caller, body }) => updateConfig(ctx, caller, body),
  ),
  configRoute(
    {
      method: 'get',
      path: '/admin/setup',
      access: 'guild',
      summary: 'Read the skipped steps of the first-run checklist',
      answer: setup,
    },
    ({ ctx }) => readSetup(ctx.db),
  ),
  configRoute(
    {
      method: 'put',
      path: '/admin/setup',
      access: 'guild',
      summary: 'Skip or resume steps of the first-run checklist, or dismiss it, for all admins',
      body: setupChange,
      answer: setup,
    },
    ({ ctx, caller, body }) => changeSetup(ctx, caller, body),
  ),
];
