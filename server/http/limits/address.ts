import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { isIP, isIPv6 } from 'node:net';
import type * as rateLimit from 'express-rate-limit';
import type { Env } from '../../env.ts';

const load = createRequire(import.meta.url);

type Connected = Pick<IncomingMessage, 'headers'> & { socket: Pick<IncomingMessage['socket'], 'remoteAddress'> };

/** The address a request comes from, as limits count it. */
export const addressOf = (req: Connected, env: Pick<Env, 'TRUST_PROXY'>): string => countedAs(ipOf(req, env));

/** The IP address of whoever asks: behind a trusted proxy, the one that this proxy saw. */
export function ipOf({ headers, socket }: Connected, { TRUST_PROXY }: Pick<Env, 'TRUST_PROXY'>): string {
  const forwarded =
    TRUST_PROXY === '1'
      ? String(headers['x-forwarded-for'] ?? '')
          .split(',')
          .at(-1)
      : '';
  return withoutPort(forwarded ?? '') ?? socket.remoteAddress ?? '';
}

/** An address as limits count it. Of IPv6 one person has as many as they like, so it is the network that counts. */
export function countedAs(ip: string): string {
  if (!isIPv6(ip)) return ip;
  // Loaded for the first of them: it takes longer than all else of this folder.
  const { ipKeyGenerator }: typeof rateLimit = load('express-rate-limit');
  return ipKeyGenerator(ip);
}

/** The address in an entry of X-Forwarded-For, to which some proxies add the port; null where it holds none. */
function withoutPort(entry: string): string | null {
  const text = entry.trim();
  const [, address = text] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? [];
  return isIP(address) === 0 ? null : address;
}
