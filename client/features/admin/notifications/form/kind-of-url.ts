import type { DestinationKind } from '../../../../../shared/schemas/destination.ts';

const HOSTS_OF_DISCORD = /^((ptb|canary)\.)?discord(app)?\.com$/;
const PATH_OF_DISCORD = /^\/api\/(v\d+\/)?webhooks\//;

/** What a pasted address leads to; null: it is none yet. `isWhole`: of Discord's, that it is a webhook's, not a channel's or the app's. */
export function kindOfUrl(text: string): { kind: DestinationKind; host: string; isWhole: boolean } | null {
  const url = urlIn(text);
  if (!url) return null;
  const kind = HOSTS_OF_DISCORD.test(url.hostname) ? 'discord' : 'webhook';
  return { kind, host: url.host, isWhole: kind === 'webhook' || PATH_OF_DISCORD.test(url.pathname) };
}

function urlIn(text: string): URL | null {
  try {
    const url = new URL(text.trim());
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}
