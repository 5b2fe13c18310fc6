import { createServer } from 'node:http';
import { CHECK_NAMES, type CheckName } from '../../../../shared/rules/findings.ts';
import type { Tx } from '../../../db/database.ts';
import { NOW, type TestApp } from '../../../dev/test/test-app.ts';
import { readEnv } from '../../../env.ts';
import { notifyingJobsOf } from '../../../feature.ts';
import { features } from '../../../features.ts';
import {
  type CheckContext,
  type CheckContextOptions,
  type Finding,
  openCheckContext,
} from '../check.ts';
import { examine } from '../examine.ts';

export const BUILD = 'abc123';

type Looked = Pick<TestApp, 'settings'> &
  Partial<Pick<TestApp, 'ctx'>> &
  Partial<Omit<CheckContextOptions, 'env'>> & {
    env?: Record<string, string>;
    /** Whether a server answers at its port. */
    served?: boolean;
  };

async function withContext<T>(
  { settings, ctx, env, served, ...options }: Looked,
  work: (context: CheckContext) => Promise<T>,
): Promise<T> {
  const server = createServer((_req, res) => res.end('{"status":"up"}'));
  if (served) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const PORT = String(served && address && typeof address === 'object' ? address.port : 0);
  const context = openCheckContext({
    env: readEnv({ BACKUP_HOURS: '0', PORT, ...settings, ...env }),
    now: ctx?.now ?? (() => new Date(NOW)),
    build: () => BUILD,
    notifyingJobs: notifyingJobsOf(features),
    ...options,
  });
  try {
    return await work(context);
  } finally {
    await context.close();
    server.close();
  }
}

/** Looks at what is named, or at everything, at the server's hour. */
export const looksAt = (looked: Looked, ...names: CheckName[]): Promise<Finding[]> =>
  withContext(looked, async (context) => {
    const found: Finding[] = [];
    for await (const event of examine(context, names.length > 0 ? names : CHECK_NAMES))
      if (!('begun' in event)) found.push(event);
    return found;
  });

export const readOnly = (looked: Looked, work: (tx: Tx) => Promise<unknown>): Promise<unknown> =>
  withContext(looked, ({ read }) => read(work));
