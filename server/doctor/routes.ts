import { system, systemBackup, systemCheckup } from '../../shared/schemas/system.ts';
import { type Route, route } from '../http/route.ts';
import { readSystem } from './facts.ts';

export const systemRoutes: Route[] = [
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
      await ctx.askedBackups.start();
      return ctx.askedBackups.state();
    },
  ),
];
