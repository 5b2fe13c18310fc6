import { tidyName } from '../../../../../shared/rules/names.ts';
import type { Destination, DestinationChange, DestinationInput, Language } from '../../../../../shared/schemas/destination.ts';
import { NEWS_TYPES, type NewsType } from '../../../../../shared/schemas/news.ts';
import { kindOfUrl } from './kind-of-url.ts';

/** A destination as its form holds it. */
export interface DestinationValues {
  /** As it is pasted; empty while a stored one stays, which nobody is told again. */
  url: string;
  /** null: nobody has typed one, and one is proposed. */
  name: string | null;
  language: Language;
  events: readonly NewsType[];
}

/** A new one hears everything: what is too much is taken away by a press. */
export const proposedValues = (language: Language): DestinationValues => ({ url: '', name: null, language, events: NEWS_TYPES });

export const valuesOf = ({ name, language, events }: Destination): DestinationValues => ({ url: '', name, language, events });

/** In the order in which they stand everywhere. */
export const inOrder = (events: Iterable<NewsType>): NewsType[] => {
  const chosen = new Set(events);
  return NEWS_TYPES.filter((type) => chosen.has(type));
};

/** "Discord", or a webhook's host; with a number where that name is taken. */
export function proposedName(url: string, taken: readonly Destination[]): string {
  const told = kindOfUrl(url);
  if (!told) return '';
  const name = told.kind === 'discord' ? 'Discord' : told.host.slice(0, 50);
  const names = new Set(taken.map((one) => one.name.toLowerCase()));
  if (!names.has(name.toLowerCase())) return name;
  for (let number = 2; ; number += 1) if (!names.has(`${name} ${number}`.toLowerCase())) return `${name} ${number}`;
}

/** The fields in which two versions differ; an address that nobody pasted is the same. */
export function differing(before: DestinationValues, after: DestinationValues): (keyof DestinationValues)[] {
  const fields: (keyof DestinationValues)[] = [];
  if (before.url.trim() !== after.url.trim()) fields.push('url');
  if (tidyName(before.name ?? '') !== tidyName(after.name ?? '')) fields.push('name');
  if (before.language !== after.language) fields.push('language');
  if (inOrder(before.events).join() !== inOrder(after.events).join()) fields.push('events');
  return fields;
}

/** What has to be sent so that the stored one becomes what the form says; other fields stay whosever they are. */
export function changeOf(stored: Destination, values: DestinationValues): DestinationChange {
  const fields = differing(valuesOf(stored), values);
  const has = (field: keyof DestinationValues): boolean => fields.includes(field);
  return {
    ...(has('url') && { url: values.url.trim() }),
    ...(has('name') && { name: tidyName(values.name ?? '') }),
    ...(has('language') && { language: values.language }),
    ...(has('events') && { events: inOrder(values.events) }),
  };
}

export function inputOf({ url, name, language, events }: DestinationValues, proposed: string): DestinationInput {
  const kind = kindOfUrl(url)?.kind ?? 'webhook';
  return { url: url.trim(), kind, name: tidyName(name ?? proposed), language, events: inOrder(events), is_enabled: 1 };
}
