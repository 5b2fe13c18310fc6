import { createRequire } from 'node:module';
import { isIPv6 } from 'node:net';
import type { Request } from 'express';
import type * as rateLimit from 'express-rate-limit';

const load = createRequire(import.meta.url);

/** Where a request comes from, as limits count it. Of IPv6 one person has as many as they like, so it is the network that counts. */
export function addressOf({ ip = '' }: Pick<Request, 'ip'>): string {
  if (!isIPv6(ip)) return ip;
  // Loaded for the first of them: it takes longer than all else of this folder.
  const { ipKeyGenerator }: typeof rateLimit = load('express-rate-limit');
  return ipKeyGenerator(ip);
}
