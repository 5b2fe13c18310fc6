import { expect, it } from 'vitest';
import { childEnvironment } from './make-backup.ts';

it('a process beside the server reaches its database as the server does, and is told none of its secrets', () => {
  const reaching = { PGPASSWORD: 'p', PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/ca.pem', PGPASSFILE: '/pgpass', HOME: '/home/board' };
  const running = { PATH: '/bin', NODE_COMPILE_CACHE: '/cache', NODE_EXTRA_CA_CERTS: '/ca.pem', SystemRoot: 'C:\\Windows', TZ: 'UTC' };
  const own = { ADMIN_PASSWORD: 'a', METRICS_TOKEN: 'm', DATABASE_URL: 'postgres://u:p@h/d', PAGER: 'less', NODE_OPTIONS: '--inspect' };
  expect(childEnvironment({ ...reaching, ...running, ...own })).toEqual({ ...reaching, ...running });
});
