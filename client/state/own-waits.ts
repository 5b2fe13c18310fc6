import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { nameKey } from '../../shared/rules/names.ts';
import type { Wait } from '../../shared/schemas/wait.ts';
import { useBoard } from './board-store.ts';
import type { Profile } from './saved-profiles.ts';
import { useSession } from './session-store.ts';

/** A wait of one of this browser's characters, and the character. */
export interface OwnWait {
  wait: Wait;
  profile: Profile;
}

/** The open waits of all characters of this browser, by what was asked for first; an offer whose time is over is none. */
export function useOwnWaits(): readonly OwnWait[] {
  const profiles = useSession((session) => session.profiles);
  const byName = useMemo(() => new Map(profiles.map((profile) => [nameKey(profile.characterName), profile])), [profiles]);
  const waits = useBoard(
    useShallow((board) => {
      const own: Wait[] = [];
      if (byName.size === 0) return own;
      for (const list of board.waitsByRespawn.values()) own.push(...list.filter((wait) => byName.has(nameKey(wait.character_name))));
      return own.sort((a, b) => a.id - b.id);
    }),
  );
  return useMemo(
    () =>
      waits.flatMap((wait) => {
        const profile = byName.get(nameKey(wait.character_name));
        return profile ? [{ wait, profile }] : [];
      }),
    [waits, byName],
  );
}
