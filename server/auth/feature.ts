import { deleteOld } from '../jobs/job-kind.ts';
import { expiredInvitations } from './admins.ts';
import { adminRoutes, sessionRoutes } from './routes.ts';
import { expiredSessions } from './sessions.ts';

export const admins = {
  name: 'admins',
  routes: [...sessionRoutes, ...adminRoutes],
  jobs: [deleteOld(expiredSessions), deleteOld(expiredInvitations)],
};
