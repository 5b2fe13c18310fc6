import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import type { OverlayProps } from '../../../state/overlays.ts';
import { currentClaim } from '../../../state/own-claims.ts';
import { MenuAt, MenuItem } from '../../../ui/menu-list.tsx';
import { type OwnAction, ownActions, useOwnFacts } from './own-actions.ts';
import { useOwnCall } from './own-call.tsx';

/** The menu of the viewer's own claim. It closes when the claim ends, or has no such action any more. */
export function OwnClaimMenu({
  claim: pressed,
  anchor,
  which,
  onClose,
}: OverlayProps['ownClaim'] & { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const claim = useBoard((board) => currentClaim(board, pressed));
  const spot = useBoard((board) => board.byKind.respawn.get(pressed.respawn_id)?.name);
  const facts = useOwnFacts();
  const actions = claim ? ownActions(claim, facts)[which] : [];
  const isOver = actions.length === 0;
  useEffect(() => {
    if (isOver) onClose();
  }, [isOver, onClose]);
  if (!claim || isOver) return null;
  const hours = t('time.range', { start: claim.hour_start, end: claim.hour_end });
  return (
    <MenuAt
      anchor={anchor}
      about={
        <>
          <b>{spot}</b> {hours}
        </>
      }
      onClose={onClose}
    >
      <OwnClaimItems actions={actions} />
    </MenuAt>
  );
}

export function OwnClaimItems({ actions }: { actions: readonly OwnAction[] }): ReactNode {
  const { t } = useTranslation();
  const call = useOwnCall();
  return actions.map((action) => (
    <MenuItem
      key={action.id}
      blocked={action.blocked && t(action.blocked)}
      onSelect={action.dialog ?? (() => call.run(action))}
    >
      {t(action.label, { to: action.to })}
    </MenuItem>
  ));
}
