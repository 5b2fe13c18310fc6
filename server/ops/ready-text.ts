import { networkInterfaces } from 'node:os';
import type { Env } from '../env.ts';

type Addresses = Pick<Env, 'HOST' | 'PUBLIC_URL'>;
type NetworkInterfaces = ReturnType<typeof networkInterfaces>;

/** Values of HOST that listen on all addresses. */
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const isOfThisMachine = (host: string): boolean => /^(127\.|localhost$|::1$)/.test(host);

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The addresses at which other machines can open the board. */
function addressesOfMachine(
  port: number,
  { HOST, PUBLIC_URL }: Addresses,
  interfaces: NetworkInterfaces,
): string[] {
  if (PUBLIC_URL) return [PUBLIC_URL];
  if (!EVERYWHERE.has(HOST)) return isOfThisMachine(HOST) ? [] : [urlOf(HOST, port)];
  const own = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  return own.flatMap(({ family, internal, address }) =>
    family === 'IPv4' && !internal ? [urlOf(address, port)] : [],
  );
}

/** The addresses that an operator needs first. Programs that start a server read the first line. */
export function readyText(
  port: number,
  env: Addresses,
  interfaces: NetworkInterfaces = networkInterfaces(),
): string {
  const { HOST } = env;
  // A server that listens on one address of the network does not answer at localhost.
  const local = urlOf(EVERYWHERE.has(HOST) || isOfThisMachine(HOST) ? 'localhost' : HOST, port);
  const url = env.PUBLIC_URL ?? local;
  const others = addressesOfMachine(port, env, interfaces).map((address) => `${address}/`);
  const none = EVERYWHERE.has(HOST)
    ? 'none (this machine has no network address)'
    : 'none (HOST is an address of this machine alone)';
  return [
    `Claimboard is ready at ${local}`,
    `  Board:             ${url}/`,
    `  Members verify at: ${url}/verify`,
    `  Admins sign in at: ${url}/admin/login`,
    `  Other machines:    ${others.join('  ') || none}`,
    '',
  ].join('\n');
}
