import { type LookupAddress, lookup as lookupInThread } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import type { Env } from '../../env.ts';
import { isPrivateAddress } from './allowed-urls.ts';

/** Each checks the address that it connects to, so that no name can lead to a private one. */
export interface Agents {
  http: HttpAgent;
  https: HttpsAgent;
}

/** For tests. */
export interface AgentOptions {
  lookup?: LookupFunction;
  ca?: string;
}

/** Keep this many connections to a host open for the next message, for this long, in milliseconds. */
const MAX_IDLE_SOCKETS = 1;
const IDLE_TIMEOUT_MS = 5_000;

export function createAgents(
  { ALLOW_PRIVATE_DESTINATIONS }: Pick<Env, 'ALLOW_PRIVATE_DESTINATIONS'>,
  { lookup = createLookup(), ca }: AgentOptions,
): Agents {
  const allowsPrivate = ALLOW_PRIVATE_DESTINATIONS === '1';
  const options = {
    keepAlive: true,
    maxFreeSockets: MAX_IDLE_SOCKETS,
    timeout: IDLE_TIMEOUT_MS,
    allowPrivateIPAddress: allowsPrivate,
    allowMetaIPAddress: allowsPrivate,
    lookup: allowsPrivate ? lookup : refusingPrivate(lookup),
    ...(ca ? { ca } : {}),
  };
  return { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) };
}

/** The agents' own list of private networks is shorter than ours. */
const refusingPrivate =
  (lookup: LookupFunction): LookupFunction =>
  (name, options, done) =>
    lookup(name, options, (error, found, family) => {
      // After an error `found` may be undefined.
      const refused = error ? undefined : [found].flat().find((each) => isPrivateAddress(typeof each === 'string' ? each : each.address));
      if (refused === undefined) done(error, found, family);
      else done(new Error('DNS lookup of such an address is not allowed.'), '');
    });

/** Whether an agent refused the address: its error has no code, only this sentence. */
export function isRefusedAddress(error: unknown): boolean {
  return error instanceof Error && /^DNS lookup .* is not allowed\./.test(error.message);
}

/** Ask each name server this often, and wait this long for it, in milliseconds. */
const RESOLVER_OPTIONS = { timeout: 3_000, tries: 2 };

/**
 * Resolves names without Node's few DNS threads: names whose servers are dead would block these, and with them every other
 * lookup. Only names that no name server knows go to a thread, since they may be in the hosts file or the local network.
 * @param servers for tests: instead of the machine's name servers
 */
export function createLookup(servers?: readonly string[]): LookupFunction {
  return (name, options, done) => {
    // A new one each time: it reads the machine's name servers once, and they change with the network.
    const resolver = new Resolver(RESOLVER_OPTIONS);
    if (servers) resolver.setServers(servers);
    void Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]).then((answers) => {
      const found = answers.flatMap((answer, at): LookupAddress[] =>
        answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: at === 0 ? 4 : 6 })) : [],
      );
      const [first] = found;
      if (first) return options.all ? done(null, found) : done(null, first.address, first.family);
      const timeout = answers.find((answer) => answer.status === 'rejected' && answer.reason?.code === 'ETIMEOUT');
      // A thread would wait for the same silent name server.
      if (timeout?.status === 'rejected') return done(timeout.reason, '');
      return lookupInThread(name, options, done);
    });
  };
}
