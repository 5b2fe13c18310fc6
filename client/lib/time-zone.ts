import { useSyncExternalStore } from 'react';
import { onReturn } from './page-events.ts';

/** The zone of this computer, an IANA name: what a formatter without one formats in. */
const zoneNow = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

let zone = zoneNow();
const listeners = new Set<() => void>();
let stopLooking = (): void => {};

// Building a formatter costs far more than using one, and a board asks for a thousand dates.
const formatters = new Map<string, Intl.DateTimeFormat>();

/** No browser tells of a change: a laptop that was carried elsewhere is opened again, and its page looked at. */
function look(): void {
  const now = zoneNow();
  if (now === zone) return;
  zone = now;
  // One that was made since then goes by the old zone's name.
  formatters.clear();
  for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
  if (listeners.size === 0) stopLooking = onReturn(look);
  listeners.add(changed);
  look();
  return () => {
    listeners.delete(changed);
    if (listeners.size === 0) stopLooking();
  };
}

/** The zone in which the reader is, rendered anew when that changes. */
export const useTimeZone = (): string => useSyncExternalStore(subscribe, () => zone);

/**
 * Writes instants as they read where the reader is.
 * @param locale as `formatLocale` has it
 * @param here as `useTimeZone` has it: a formatter keeps the zone in which it was made
 */
export function formatterIn(here: string, locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = [here, locale, JSON.stringify(options)].join();
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, formatter);
  return formatter;
}
