import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays } from '../../../shared/rules/server-save.ts';
import { isoWeekday } from '../../../shared/rules/standing.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { useBoard } from '../../state/board-store.ts';
import { openOverlay } from '../../state/overlays.ts';
import { BlockedButton, Button, type ButtonProps } from '../../ui/button.tsx';

interface MakeWeeklyProps extends Pick<ButtonProps, 'small' | 'variant'> {
  claim: ClaimOnRespawn;
  /** Called before the form opens. */
  onChosen?: () => void;
}

/** Opens the form for a weekly claim with a claim's spot, weekday and hours. */
export function MakeWeekly({ claim, onChosen, ...look }: MakeWeeklyProps): ReactNode {
  const { t } = useTranslation();
  const { character_name, respawn_id, date, hour_start, hour_end } = claim;
  const spot = useBoard((board) => board.byKind.respawn.get(respawn_id)?.name) ?? '';
  const isOffline = useBoard((board) => board.connection === 'offline');
  const words = {
    children: t('weeklyClaim.make'),
    'aria-label': t('weeklyClaim.makeName', { spot }),
  };
  if (isOffline) return <BlockedButton {...look} {...words} reason={t('errors.network.failed')} />;
  return (
    <Button
      {...look}
      {...words}
      aria-haspopup="dialog"
      onClick={() => {
        onChosen?.();
        // The claim's own date is taken, by this claim.
        const from = date === null ? '' : addDays(date, 1);
        const weekdays = date === null ? [] : [isoWeekday(date)];
        openOverlay('weeklyClaim', {
          character_name,
          claim: { respawn_id, hour_start, hour_end, weekdays, from },
        });
      }}
    />
  );
}
