import type { FieldErrors, ResolverResult } from 'react-hook-form';
import { tidyName } from '../../../../shared/rules/names.ts';
import {
  type Destination,
  type DestinationChange,
  type DestinationInput,
  type DestinationKind,
  destinationInput,
  type Language,
} from '../../../../shared/schemas/destination.ts';
import {
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
} from '../../../../shared/schemas/domain-events.ts';

export interface ChannelValues {
  /** Empty: the stored one stays, which the server never sends again. */
  url: string;
  /** null: untouched, so a name is proposed. */
  name: string | null;
  language: Language;
  events: PublicEventType[];
}

/** A new channel subscribes to every event. */
export const proposedValues = (language: Language): ChannelValues => ({
  url: '',
  name: null,
  language,
  events: [...PUBLIC_EVENT_TYPES],
});

export const valuesOf = ({ name, language, events }: Destination): ChannelValues => ({
  url: '',
  name,
  language,
  events,
});

export const inOrder = (events: Iterable<PublicEventType>): PublicEventType[] => {
  const chosen = new Set(events);
  return PUBLIC_EVENT_TYPES.filter((type) => chosen.has(type));
};

/** "Discord", or the webhook's host; numbered if that name is taken. */
export function proposedName(url: string, taken: readonly Destination[]): string {
  const parsed = kindOfUrl(url);
  if (!parsed) return '';
  const name = parsed.kind === 'discord' ? 'Discord' : parsed.host.slice(0, 50);
  const names = new Set(taken.map((one) => one.name.toLowerCase()));
  if (!names.has(name.toLowerCase())) return name;
  for (let number = 2; ; number += 1)
    if (!names.has(`${name} ${number}`.toLowerCase())) return `${name} ${number}`;
}

export function differing(before: ChannelValues, after: ChannelValues): (keyof ChannelValues)[] {
  const fields: (keyof ChannelValues)[] = [];
  if (before.url.trim() !== after.url.trim()) fields.push('url');
  if (tidyName(before.name ?? '') !== tidyName(after.name ?? '')) fields.push('name');
  if (before.language !== after.language) fields.push('language');
  if (inOrder(before.events).join() !== inOrder(after.events).join()) fields.push('events');
  return fields;
}

/** The request that turns the stored channel into the form's values; unchanged fields are left out. */
export function changeOf(stored: Destination, values: ChannelValues): DestinationChange {
  const fields = differing(valuesOf(stored), values);
  const has = (field: keyof ChannelValues): boolean => fields.includes(field);
  return {
    ...(has('url') && { url: values.url.trim() }),
    ...(has('name') && { name: tidyName(values.name ?? '') }),
    ...(has('language') && { language: values.language }),
    ...(has('events') && { events: inOrder(values.events) }),
  };
}

export function inputOf(
  { url, name, language, events }: ChannelValues,
  proposed: string,
): DestinationInput {
  const kind = kindOfUrl(url)?.kind ?? 'webhook';
  return {
    url: url.trim(),
    kind,
    name: tidyName(name ?? proposed),
    language,
    events: inOrder(events),
    is_enabled: 1,
  };
}

/** Checks with the server's schema, and the URL further. A message is an error code, or names a sentence of the form. */
export function checkChannel(
  values: ChannelValues,
  opened: Destination | null,
  proposed: string,
): ResolverResult<ChannelValues> {
  const errors: FieldErrors<ChannelValues> = {};
  const refuse = (field: 'url' | 'name' | 'events', message: string): void => {
    errors[field] ??= { type: 'refused', message };
  };
  const parsed = kindOfUrl(values.url);
  const keepsUrl = opened !== null && values.url.trim() === '';
  if (!keepsUrl && !parsed) refuse('url', 'destination.url');
  // A Discord channel's address is easily pasted instead of its webhook's.
  else if (parsed && !parsed.isWhole) refuse('url', 'destination.notDiscord');
  else if (parsed?.kind === 'discord' && opened?.kind === 'webhook') refuse('url', 'isDiscord');
  for (const { path, message } of destinationInput.safeParse(inputOf(values, proposed)).error
    ?.issues ?? []) {
    if (path[0] === 'url' && !keepsUrl) refuse('url', message);
    if (path[0] === 'name') refuse('name', message);
    if (path[0] === 'events') refuse('events', 'chooseOne');
  }
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
}

const DISCORD_HOSTS = /^((ptb|canary)\.)?discord(app)?\.com$/;
const DISCORD_WEBHOOK_PATH = /^\/api\/(v\d+\/)?webhooks\//;

/** The kind of channel a pasted URL is for; null: it is no URL yet. `isWhole`: a Discord URL is a webhook's, not a channel's. */
export function kindOfUrl(
  text: string,
): { kind: DestinationKind; host: string; isWhole: boolean } | null {
  const url = parseUrl(text);
  if (!url) return null;
  const kind = DISCORD_HOSTS.test(url.hostname) ? 'discord' : 'webhook';
  return {
    kind,
    host: url.host,
    isWhole: kind === 'webhook' || DISCORD_WEBHOOK_PATH.test(url.pathname),
  };
}

function parseUrl(text: string): URL | null {
  try {
    const url = new URL(text.trim());
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}
