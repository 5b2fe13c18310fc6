import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { useBoard } from '../../../state/board-store.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { currentClaim, useOwnActions } from '../../../state/own-claims.ts';
import { Button } from '../../../ui/button.tsx';
import { ClaimMenu } from '../claim-menu.tsx';
import { MakeWeekly } from '../make-weekly.tsx';
import { TransferActions } from './transfer-actions.tsx';

interface OwnClaimMenuProps {
  claim: ClaimOnRespawn;
  /** The pressed element: the focus returns to it. */
  anchor: HTMLElement;
  onClose: () => void;
}

/** The actions for the viewer's own claim on the board. Escape or a press elsewhere closes it. */
export function OwnClaimMenu({ claim: pressed, anchor, onClose }: OwnClaimMenuProps): ReactNode {
  const { t } = useTranslation();
  const claim = useBoard((board) => currentClaim(board, pressed));
  const spot = useBoard((board) => board.byKind.respawn.get(pressed.respawn_id)?.name) ?? '';
  const actionsOf = useOwnActions();
  const isGone = claim === undefined;
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  if (!claim) return null;
  const hours = t('time.range', { start: claim.hour_start, end: claim.hour_end });
  const { release, mayBeWeekly } = actionsOf(claim);
  // A dialog that an action opens returns the focus to the element that has it now.
  const leave = (): void => {
    anchor.focus({ preventScroll: true });
    onClose();
  };
  return (
    <ClaimMenu
      label={t('transfer.menu', { spot, hours })}
      name={spot}
      hours={hours}
      anchor={anchor}
      onClose={onClose}
    >
      <TransferActions claim={claim} onChosen={leave} />
      {mayBeWeekly ? <MakeWeekly claim={claim} onChosen={leave} /> : null}
      {release ? (
        <Button
          aria-haspopup="dialog"
          onClick={() => {
            leave();
            openOverlay('release', { claim });
          }}
        >
          {t(release.stays ? 'myClaims.release.rest' : 'myClaims.release.whole')}
        </Button>
      ) : null}
    </ClaimMenu>
  );
}
