import type { Logger } from 'pino';
import { health } from '../../../shared/schemas/health.ts';
import { system, systemBackup, systemCheckup, systemNotifications } from '../../../shared/schemas/system.ts';
import type { FileMonitor } from '../../db/database-file.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import { routeFor } from '../../http/router.ts';
import { resumeNotifications } from '../../notifications/pause.ts';
import { readSystem, type SystemContext } from './system.ts';

const route = routeFor<SystemContext & Writer & { log: Logger; fileMonitor: FileMonitor }>();

export const systemRoutes = [
  route(
    { method: 'get', path: '/admin/health', access: 'dashboard', summary: 'What an admin should know of the machine', answer: health },
    async ({ ctx }) => ({ problem: await ctx.fileMonitor.findProblem() }),
  ),
  route(
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
  route(
    { method: 'get', path: '/admin/system', access: 'system', summary: 'The server, its last checks and backups', answer: system },
    ({ ctx }) => readSystem(ctx),
  ),
  route(
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
  route(
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
