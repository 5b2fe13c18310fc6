import { createServer } from 'node:http';
import { CHECK_NAMES, type CheckName } from '../../../../shared/rules/findings.ts';
import type { Tx } from '../../../db/open.ts';
import type { TestApp } from '../../../dev/test/test-app.ts';
import { NOW } from '../../../dev/test/test-app.ts';
import { readEnv } from '../../../env.ts';
import { diskOf } from '../disk.ts';
import { examine, type Finding } from '../examine.ts';
import { openPatient, type Patient, type PatientOptions } from '../patient.ts';

export const BUILD = 'abc123';

type Looked = Pick<TestApp, 'settings'> &
  Partial<Pick<TestApp, 'ctx'>> &
  Partial<Omit<PatientOptions, 'env'>> & {
    env?: Record<string, string>;
    /** Whether a server answers at its port. */
    served?: boolean;
  };

async function withPatient<T>({ settings, ctx, env, served, ...options }: Looked, work: (patient: Patient) => Promise<T>): Promise<T> {
  const server = createServer((_req, res) => res.end('{"status":"up"}'));
  if (served) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const PORT = String(served && address && typeof address === 'object' ? address.port : 0);
  const patient = openPatient({
    env: readEnv({ BACKUP_HOURS: '0', PORT, ...settings, ...env }),
    now: ctx?.now ?? (() => new Date(NOW)),
    build: () => BUILD,
    disk: diskOf,
    ...options,
  });
  try {
    return await work(patient);
  } finally {
    await patient.close();
    server.close();
  }
}

/** Looks at what is named, or at everything, at the server's hour. */
export const looksAt = (looked: Looked, ...names: CheckName[]): Promise<Finding[]> =>
  withPatient(looked, async (patient) => {
    const found: Finding[] = [];
    for await (const said of examine(patient, names.length > 0 ? names : CHECK_NAMES)) if (!('begun' in said)) found.push(said);
    return found;
  });

/** What something can do that only looks. */
export const readOnly = (looked: Looked, work: (tx: Tx) => Promise<unknown>): Promise<unknown> =>
  withPatient(looked, ({ read }) => read(work));
