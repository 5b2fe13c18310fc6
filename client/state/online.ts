import { create } from 'zustand';
import { CONFIG_ID } from '../../shared/kinds.ts';
import { ONLINE_LASTS_MS } from '../../shared/live.ts';
import type { HourRange } from '../../shared/rules/hours.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { instantOf } from '../../shared/rules/server-save.ts';
import type { OnlineHunters } from '../../shared/schemas/online.ts';
import { useBoard } from './board-store.ts';
import { serverNow, useServerSaveClock } from './clock.ts';

/** A hunter is online in a world, or has been offline since then. */
export type OnlineState = { world: string } | { since: string };

interface Known {
  /** By their names' keys. Of others nothing is known. */
  hunters: ReadonlyMap<string, OnlineState>;
}

const useKnown = create<Known>(() => ({ hunters: new Map() }));

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a reading until it is too old, by the server's clock. */
export function applyOnline({ names, worlds, as_of, offline = [] }: OnlineHunters): void {
  const left_ms = ONLINE_LASTS_MS - (serverNow().getTime() - Date.parse(as_of));
  if (left_ms <= 0) {
    clearOnline();
    return;
  }
  const online = names.map((name, nth) => [nameKey(name), { world: worlds[nth] ?? '' }] as const);
  const others = offline.map(({ name, since }) => [nameKey(name), { since }] as const);
  useKnown.setState({ hunters: new Map<string, OnlineState>([...online, ...others]) });
  clearTimeout(timer);
  timer = setTimeout(clearOnline, Math.min(left_ms, ONLINE_LASTS_MS));
}

/** Nothing is known without a connection. */
export function clearOnline(): void {
  clearTimeout(timer);
  useKnown.setState({ hunters: new Map() });
}

/** A hunt on a date, in SS hours. */
export interface Hunt extends HourRange {
  character_name: string;
  date: string;
}

/** The server looks for hunters from so long before they begin. */
const SOON_MS = 30 * 60_000;

function isNext({ date, hour_start, hour_end }: Hunt): boolean {
  const clock = useServerSaveClock.getState();
  const now = serverNow().getTime();
  const begins = instantOf(date, hour_start, clock).getTime();
  return begins - SOON_MS <= now && now < instantOf(date, hour_end, clock).getTime();
}

/** Of a running hunt, or of one that begins soon; null: unknown, or not shown in this guild. */
export function useOnline(hunt: Hunt): OnlineState | null {
  const isOn = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.online_enabled === 1);
  // A reading arrives each minute, and with it the time moves on.
  const state = useKnown(({ hunters }) => {
    const known = hunters.get(nameKey(hunt.character_name));
    return known && isNext(hunt) ? known : null;
  });
  return isOn ? state : null;
}
