import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type NavigateFunction, useNavigate } from 'react-router-dom';
import { nameKey } from '../../../shared/rules/names.ts';
import { addDays, serverSaveTime } from '../../../shared/rules/server-save.ts';
import { boardDates } from '../../lib/board-dates.ts';
import { boardAddress, shownSpot } from '../../lib/board-place.ts';
import { dateInWords, formatLocale } from '../../lib/words/local-time.ts';
import { inNameOrder } from '../../lib/words/order.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { serverNow, useServerSaveClock } from '../../state/clock.ts';
import { useSession } from '../../state/session-store.ts';
import { askToClaim } from '../../state/spot-to-claim.ts';
import type { Entry } from './entries.ts';

const DAY_IN_WORDS = { weekday: 'long', day: 'numeric', month: 'long' } as const;

/** What the board knows: its spots, to look at and to claim on it; the characters who claim, and its dates. It needs no server. */
export function useBoardEntries(): Entry[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const respawns = useBoard((board) => board.byKind.respawn);
  const keys = useBoard((board) => board.byKind.access_key);
  const claimsByRespawn = useBoard((board) => board.claimsByRespawn);
  const profiles = useSession((session) => session.profiles);
  const event = useActiveEvent();
  const { date: today } = serverSaveTime(serverNow(), useServerSaveClock());
  const isHere = useBoard((board) => board.status === 'ready');
  const language = formatLocale(i18n.language);
  return useMemo(() => {
    if (!isHere) return [];
    const spots = inNameOrder(respawns.values(), (spot) => spot.name).filter((spot) => spot.is_enabled);
    const names = new Map<string, string>();
    const mine = profiles.map(({ characterName }) => characterName);
    const claimed = [...claimsByRespawn.values()].flatMap((claims) => claims.map(({ character_name }) => character_name));
    for (const name of [...mine, ...[...keys.values()].map(({ character_name }) => character_name), ...claimed]) {
      if (!names.has(nameKey(name))) names.set(nameKey(name), name);
    }
    const inDays = new Map([
      [today, t('time.today')],
      [addDays(today, 1), t('palette.tomorrow')],
    ]);
    return [
      ...spots.map(({ id, name, category_name }): Entry => {
        const run = (): void => void navigate(cards(boardAddress(null, today)), { state: shownSpot(id) });
        return { key: `spot ${id}`, group: 'spots', label: name, hint: category_name ?? undefined, run };
      }),
      ...inNameOrder(names.values(), (name) => name).map((name): Entry => {
        return {
          key: `character ${nameKey(name)}`,
          group: 'characters',
          label: name,
          hint: t('palette.claimsOf'),
          run: claimsOf(navigate, name),
        };
      }),
      ...spots.map(({ id, name }): Entry => {
        const run = (): void => {
          askToClaim(id);
          void navigate(cards(boardAddress(today, today)));
        };
        return { key: `claim ${id}`, group: 'claim', label: t('palette.claim', { name }), also: 'claim', run };
      }),
      ...boardDates(event, today).map((date): Entry => {
        const run = (): void => void navigate(boardAddress(date, today));
        return { key: date, group: 'dates', label: dateInWords(date, language, DAY_IN_WORDS), hint: inDays.get(date), also: date, run };
      }),
    ];
  }, [isHere, respawns, keys, claimsByRespawn, profiles, event, today, t, language, navigate]);
}

/** The same board as cards. */
function cards(address: string): string {
  const query = new URLSearchParams(address.split('?')[1]);
  query.delete('view');
  query.delete('photoMode');
  const search = query.toString();
  return search ? `/?${search}` : '/';
}

const claimsOf =
  (navigate: NavigateFunction, name: string): (() => void) =>
  () =>
    void navigate(`/?${new URLSearchParams({ search: name })}`);
