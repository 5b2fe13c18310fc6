import { BlockList, isIP, isIPv4 } from 'node:net';
import { DomainError } from '../../../shared/errors.ts';
import type { Env } from '../../env.ts';

type UrlSettings = Pick<Env, 'ALLOW_PRIVATE_DESTINATIONS'>;

const DISCORD_HOSTS = /^((ptb|canary)\.)?discord(app)?\.com$/;
const DISCORD_PATH = /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+$/;

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** Networks that the public internet cannot reach (IANA's special-purpose registry). */
const notPublic = { ipv4: new BlockList(), ipv6: new BlockList() };
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
  // Multicast, reserved and broadcast.
  ['224.0.0.0', 3],
  // All but 2000::/3, the only assigned part of IPv6.
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  // Tunnels, documentation and the like.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const) {
  const family = familyOf(net);
  notPublic[family].addSubnet(net, prefix, family);
}

/** @param host from a URL, which has normalized its spelling (IPv6 in brackets), or from a name server */
export function isPrivateAddress(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  const family = familyOf(address);
  return isIP(address) !== 0 && notPublic[family].check(address, family);
}

export function isAllowedProtocol(
  { ALLOW_PRIVATE_DESTINATIONS }: UrlSettings,
  { protocol }: URL,
): boolean {
  return protocol === 'https:' || (protocol === 'http:' && ALLOW_PRIVATE_DESTINATIONS === '1');
}

/**
 * Checks what can be known before connecting. The addresses that a name leads to are checked when it is connected to.
 * @throws DomainError destination.url unless it is an https URL without userinfo, destination.private for a private address,
 *   destination.notDiscord for a Discord channel with another address than Discord gives
 */
export function assertAllowedUrl(
  env: UrlSettings,
  text: string,
  kind: 'discord' | 'webhook' | 'push',
): void {
  const url = URL.parse(text);
  if (!url || !isAllowedProtocol(env, url) || url.username || url.password)
    throw new DomainError('destination.url');
  if (env.ALLOW_PRIVATE_DESTINATIONS === '1') return;
  if (isPrivateAddress(url.hostname)) throw new DomainError('destination.private');
  const isDiscord =
    DISCORD_HOSTS.test(url.hostname) && url.port === '' && DISCORD_PATH.test(url.pathname);
  if (kind === 'discord' && !isDiscord) throw new DomainError('destination.notDiscord');
}
