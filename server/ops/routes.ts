import type { Logger } from 'pino';
import { clientError } from '../../shared/schemas/client-error.ts';
import { health } from '../../shared/schemas/health.ts';
import { system, systemBackup, systemCheckup, systemNotifications } from '../../shared/schemas/system.ts';
import type { FileMonitor } from '../db/database-file.ts';
import type { Writer } from '../db/unit-of-work.ts';
import type { Env } from '../env.ts';
import { addressOf } from '../http/client-address.ts';
import { noAnswer, routeFor } from '../http/router.ts';
import { resumeNotifications } from '../notifications/pause.ts';
import { type ErrorLog, logClientError } from './client-errors/report.ts';
import { readSystem, type SystemContext } from './doctor/system.ts';

const systemRoute = routeFor<SystemContext & Writer & { log: Logger; fileMonitor: FileMonitor }>();

export const systemRoutes = [
  systemRoute(
    { method: 'get', path: '/admin/health', access: 'dashboard', summary: 'What an admin should know of the machine', answer: health },
    async ({ ctx }) => ({ problem: await ctx.fileMonitor.findProblem() }),
  ),
  systemRoute(
    {
      method: 'post',
      path: '/admin/system/resume-notifications',
      access: 'system',
      summary: 'Send notifications again after this database was restored from a backup; what happened before that is abandoned',
      answer: systemNotifications,
    },
    async ({ ctx, caller }) => {
      await resumeNotifications(ctx, caller);
      return { paused_at: null };
    },
  ),
  systemRoute(
    { method: 'get', path: '/admin/system', access: 'system', summary: 'The server, its last checks and backups', answer: system },
    ({ ctx }) => readSystem(ctx),
  ),
  systemRoute(
    {
      method: 'post',
      path: '/admin/system/checkup',
      access: 'system',
      summary: 'Run all checks, unless they are under way on any server',
      answer: systemCheckup,
    },
    async ({ ctx }) => {
      await ctx.checkups.start();
      return ctx.checkups.state();
    },
  ),
  systemRoute(
    {
      method: 'post',
      path: '/admin/system/backup',
      access: 'system',
      summary: "Make a backup in this server's folder, unless one is being made on any server; which of the two is answered",
      answer: systemBackup.pick({ running: true, failure: true }),
    },
    async ({ ctx, caller }) => {
      ctx.log.info({ admin: caller.username }, 'an admin requested a backup');
      await ctx.requestedBackups.start();
      return ctx.requestedBackups.state();
    },
  ),
];

const clientErrorRoute = routeFor<ErrorLog & { env: Env }>();

export const clientErrorRoutes = [
  clientErrorRoute(
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
