import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import { useBoard } from '../../../state/board-store.ts';

interface AffectedWeeklyClaimsProps {
  /** `end`: an undo resumes them; `endForGood`: nothing does; `stop`: they go on when it is taken back. */
  how: 'end' | 'endForGood' | 'stop';
  characters?: readonly string[];
  spots?: readonly number[];
}

/** How many weekly claims a change ends or stops, live; nothing if it is none. */
export function AffectedWeeklyClaims({
  how,
  characters = [],
  spots = [],
}: AffectedWeeklyClaimsProps): ReactNode {
  const { t } = useTranslation();
  const keys = new Set(characters.map(nameKey));
  const count = useBoard(
    ({ byKind }) =>
      [...byKind.standing_claim.values()].filter(
        ({ character_name, respawn_id }) =>
          keys.has(nameKey(character_name)) || spots.includes(respawn_id),
      ).length,
  );
  return count > 0 ? <p>{t(`admin.weeklyClaims.affected.${how}`, { count })}</p> : null;
}
