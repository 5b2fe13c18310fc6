import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { useBoard } from '../../state/board-store.ts';
import { claimsOf } from '../../state/own-claims.ts';
import type { Profile } from '../../state/saved-profiles.ts';
import { useSession } from '../../state/session-store.ts';

export interface Mine {
  /** All that the characters of this browser claim, holds among them. */
  claims: readonly ClaimOnRespawn[];
  /** By whose key something is done with it. */
  profileOf: (of: { character_name: string }) => Profile | undefined;
  /** Several characters are known here: each is named. */
  withCharacter: boolean;
}

export function useMine(): Mine {
  const profiles = useSession((session) => session.profiles);
  const byKey = useMemo(() => new Map(profiles.map((profile) => [nameKey(profile.characterName), profile])), [profiles]);
  const claims = useBoard(useShallow((board) => claimsOf([...byKey.keys()], board.claimsByRespawn)));
  return { claims, profileOf: ({ character_name }) => byKey.get(nameKey(character_name)), withCharacter: profiles.length > 1 };
}
