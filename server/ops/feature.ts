import type { Feature } from '../feature.ts';
import { type Measuring, measureBackups } from './backup/backup-files.ts';
import { makeBackup, requestedBackups } from './backup/make-backup.ts';
import type { ErrorLog } from './client-errors/report.ts';
import { clientErrorRoutes, type OpsContext, systemRoutes } from './routes.ts';

/** The System tab, backups and errors of browsers. */
export const operation: Feature<OpsContext & ErrorLog & Measuring> = {
  name: 'operation',
  routes: [...systemRoutes, ...clientErrorRoutes],
  jobs: [makeBackup],
  measure: measureBackups,
  stop: (ctx) => requestedBackups(ctx).stop(),
};
