import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import { Address6 } from 'ip-address';
import type { Db } from '../db/database.ts';
import type { Env } from '../env.ts';

type Connected = Pick<IncomingMessage, 'headers'> & {
  socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/** The address that limits count a request against. */
export const addressOf = (req: Connected, env: Pick<Env, 'TRUST_PROXY'>): string =>
  countedAs(ipOf(req, env));

/** The IP address of the caller: behind a trusted proxy, the one that this proxy saw. */
export function ipOf(
  { headers, socket }: Connected,
  { TRUST_PROXY }: Pick<Env, 'TRUST_PROXY'>,
): string {
  const forwarded =
    TRUST_PROXY === '1'
      ? String(headers['x-forwarded-for'] ?? '')
          .split(',')
          .at(-1)
      : '';
  return withoutPort(forwarded ?? '') ?? socket.remoteAddress ?? '';
}

/**
 * IPv6 addresses count by their /56 network, as providers give to a household: one person has as many addresses in it as they like.
 * A client with a /48 has 256 such networks, and is bounded only by the overall limits.
 */
function countedAs(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const address = new Address6(`${ip}/56`);
  return address.isMapped4() ? address.to4().correctForm() : address.networkForm();
}

/** The address in an entry of X-Forwarded-For, to which some proxies add the port; null if there is none. */
function withoutPort(entry: string): string | null {
  const text = entry.trim();
  const [, address = text] =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? [];
  return isIP(address) === 0 ? null : address;
}

/** An address under a key of the database: the same on all servers, and useless for finding the address. */
export type AddressHash = (address: string) => Promise<string>;

export function createAddressHash(db: Db): AddressHash {
  let key: string | null = null;
  return async (address) => {
    if (key === null) {
      const secret = await db
        .selectFrom('secrets')
        .select('value')
        .where('name', '=', 'address')
        .executeTakeFirstOrThrow();
      key = secret.value;
    }
    return createHmac('sha256', key).update(address).digest('base64url');
  };
}

/** A short hash of an address for the log, which never holds addresses: lines about the same one can be recognized. */
export async function addressForLog(
  { hashAddress }: { hashAddress: AddressHash },
  address: string,
): Promise<string> {
  return (await hashAddress(address).catch(() => 'unknown')).slice(0, 12);
}

/** Whether an address is this machine's own, as a proxy on it connects. */
export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);
