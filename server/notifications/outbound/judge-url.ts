import { BlockList, isIP } from 'node:net';
import { DomainError } from '../../../shared/errors.ts';
import type { Env } from '../../env.ts';

type Allowing = Pick<Env, 'ALLOW_PRIVATE_DESTINATIONS'>;

const HOSTS_OF_DISCORD = /^((ptb|canary)\.)?discord(app)?\.com$/;
const PATH_OF_DISCORD = /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+$/;

/** Everything that is not for everybody to reach; whatever a name leads to is judged anew when it is connected to. */
const privateV4 = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, what is reserved, and the broadcast.
  ['224.0.0.0', 3],
] as const) {
  privateV4.addSubnet(net, prefix, 'ipv4');
}
/** Of IPv6 only this is given out, and of it not what stands for IPv4 addresses, for tunnels and for books. */
const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');
const reservedV6 = new BlockList();
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const) {
  reservedV6.addSubnet(net, prefix, 'ipv6');
}

/** @param host as a URL or a name server has it: every spelling of an address is the usual one in a URL, IPv6 in brackets */
export function isPrivateAddress(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) === 4) return privateV4.check(address, 'ipv4');
  return isIP(address) === 6 && (!globalV6.check(address, 'ipv6') || reservedV6.check(address, 'ipv6'));
}

export function isAllowedProtocol({ ALLOW_PRIVATE_DESTINATIONS }: Allowing, { protocol }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && ALLOW_PRIVATE_DESTINATIONS === '1');
}

/**
 * What can be said of an address before anything is sent to it.
 * @throws DomainError destination.url where it is no https url or has a name and password in it, destination.private where it
 *   names a private address, destination.notDiscord where Discord gives no such addresses
 */
export function assertAllowedUrl(env: Allowing, text: string, kind: 'discord' | 'webhook' | 'push'): void {
  const url = URL.parse(text);
  if (!url || !isAllowedProtocol(env, url) || url.username || url.password) throw new DomainError('destination.url');
  if (env.ALLOW_PRIVATE_DESTINATIONS === '1') return;
  if (isPrivateAddress(url.hostname)) throw new DomainError('destination.private');
  const isOfDiscord = HOSTS_OF_DISCORD.test(url.hostname) && url.port === '' && PATH_OF_DISCORD.test(url.pathname);
  if (kind === 'discord' && !isOfDiscord) throw new DomainError('destination.notDiscord');
}
