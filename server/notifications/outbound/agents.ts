import type { Agent as PlainAgent } from 'node:http';
import type { Agent as SecureAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Env } from '../../env.ts';
import { isPrivateAddress } from './judge-url.ts';
import { createLookup } from './look-up.ts';

/** What connects; it judges each address at the moment at which it is connected to, so that no name leads elsewhere. */
export interface Agents {
  plain: PlainAgent;
  secure: SecureAgent;
}

/** For tests: another way to look names up, and a certificate of their own. */
export interface AgentOptions {
  lookup?: LookupFunction;
  ca?: string;
}

/** How long a connection is kept open for the next message to the same host, in milliseconds, and how many of one host. */
const KEPT_OPEN_MS = 5_000;
const MOST_KEPT_OPEN = 1;

/** Loaded when something is first sent. */
export async function openAgents(
  { ALLOW_PRIVATE_DESTINATIONS }: Pick<Env, 'ALLOW_PRIVATE_DESTINATIONS'>,
  { lookup = createLookup(), ca }: AgentOptions,
): Promise<Agents> {
  const { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } = await import('request-filtering-agent');
  const allowed = ALLOW_PRIVATE_DESTINATIONS === '1';
  const options = {
    keepAlive: true,
    maxFreeSockets: MOST_KEPT_OPEN,
    timeout: KEPT_OPEN_MS,
    allowPrivateIPAddress: allowed,
    allowMetaIPAddress: allowed,
    lookup: allowed ? lookup : judged(lookup),
    ...(ca ? { ca } : {}),
  };
  return { plain: new RequestFilteringHttpAgent(options), secure: new RequestFilteringHttpsAgent(options) };
}

/** What a name leads to is judged as strictly as what is typed: the agent knows fewer nets that are not for everybody. */
const judged =
  (lookup: LookupFunction): LookupFunction =>
  (name, options, done) =>
    lookup(name, options, (error, found, family) => {
      // Where nothing was found there may be nothing at all, not even a list.
      const refused = error ? undefined : [found].flat().find((each) => isPrivateAddress(typeof each === 'string' ? each : each.address));
      if (refused === undefined) done(error, found, family);
      else done(new Error('DNS lookup of such an address is not allowed.'), '');
    });

/** Whether an agent refused the address: it has no code for that, only a sentence. */
export function isRefusedAddress(error: unknown): boolean {
  return error instanceof Error && /^DNS lookup .* is not allowed\./.test(error.message);
}
