import { createServer } from 'node:http';
import { askPublic } from '../ask.ts';
import { check } from '../finding.ts';
import type { Patient } from '../patient.ts';

const UP = '{"status":"up"}';
/** What listens everywhere, or where nobody said, is asked here. */
const HERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
/** Ports that not every user may use. */
const FIRST_OF_ALL = 1_024;

const hostOf = (host: string): string => HERE[host] ?? (host.includes(':') ? `[${host}]` : host);

/** Whether somebody answers at the server's own port, and who. */
export async function whoServes({ env: { HOST, PORT } }: Pick<Patient, 'env'>): Promise<'claimboard' | 'other' | 'nobody'> {
  if (PORT === 0) return 'nobody';
  const answer = await askPublic(`http://${hostOf(HOST)}:${PORT}`, '/healthz');
  if ('status' in answer) return answer.body === UP ? 'claimboard' : 'other';
  return answer.failure === 'silent' ? 'other' : 'nobody';
}

export const port = check('port', async (patient) => {
  const { PORT, HOST } = patient.env;
  const params = { port: PORT };
  const who = await whoServes(patient);
  if (who !== 'nobody') return { finding: who === 'claimboard' ? 'ok' : 'taken', params };
  return { finding: PORT > 0 && PORT < FIRST_OF_ALL && !(await mayListen(PORT, HOST)) ? 'notAllowed' : 'free', params };
});

async function mayListen(port: number, host: string): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', () => resolve(false));
  server.listen({ port, host, exclusive: true }, () => resolve(true));
  const may = await promise;
  server.close();
  return may;
}
