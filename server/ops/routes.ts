import type { Logger } from 'pino';
import { clientError } from '../../shared/schemas/client-error.ts';
import { health } from '../../shared/schemas/health.ts';
import { system, systemBackup, systemNotifications } from '../../shared/schemas/system.ts';
import type { FileMonitor } from '../db/database-file.ts';

import { addressOf } from '../http/client-address.ts';
import { noAnswer, routeFor } from '../http/router.ts';
import { resumeNotifications } from '../notifications/pause.ts';
import { requestedBackups } from './backup/make-backup.ts';
import { type ErrorLog, logClientError } from './client-errors/report.ts';
import { readSystem, type SystemContext } from './doctor/system.ts';

export interface OpsContext extends SystemContext {
  log: Logger;
  fileMonitor: FileMonitor;
}

const systemRoute = routeFor<OpsContext>();

export const systemRoutes = [
  systemRoute(
    {
      method: 'get',
      path: '/admin/health',
      access: 'dashboard',
      summary: "Read warnings about the server's storage",
      answer: health,
    },
    async ({ ctx }) => ({ problem: await ctx.fileMonitor.findProblem() }),
  ),
  systemRoute(
    {
      method: 'post',
      path: '/admin/system/resume-notifications',
      access: 'system',
      summary: 'Resume notifications after a restore; pending ones from before it are discarded',
      answer: systemNotifications,
    },
    async ({ ctx, caller }) => {
      await resumeNotifications(ctx, caller);
      return { paused_at: null };
    },
  ),
  systemRoute(
    {
      method: 'get',
      path: '/admin/system',
      access: 'system',
      summary: "Read the server's status, last checks and backups",
      answer: system,
    },
    ({ ctx }) => readSystem(ctx),
  ),
  systemRoute(
    {
      method: 'post',
      path: '/admin/system/backup',
      access: 'system',
      summary:
        'Start a backup on this server, unless one already runs on any server; the answer says which',
      answer: systemBackup.pick({ running: true, failure: true }),
    },
    async ({ ctx, caller }) => {
      ctx.log.info({ admin: caller.username }, 'an admin requested a backup');
      await requestedBackups(ctx).start();
      return requestedBackups(ctx).state();
    },
  ),
];

const clientErrorRoute = routeFor<ErrorLog>();

export const clientErrorRoutes = [
  clientErrorRoute(
    {
      method: 'post',
      path: '/client-errors',
      access: 'open',
      summary:
        "Report a page's error for the log, without keys, tokens and query strings; at most 20 in five minutes",
      body: clientError,
      answer: noAnswer,
    },
    async ({ ctx, req, body }) =>
      logClientError(
        ctx,
        { address: addressOf(req, ctx.env), browser: req.get('user-agent') },
        body,
      ),
  ),
];
