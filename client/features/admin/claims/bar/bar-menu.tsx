import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { type ClaimActionsRequest, openOverlay } from '../../../../state/overlays.ts';
import { useSession } from '../../../../state/session-store.ts';
import { MenuAt, MenuItem } from '../../../../ui/menu-list.tsx';
import { ownActions, useOwnFacts } from '../../../claiming/own/own-actions.ts';
import { OwnClaimItems } from '../../../claiming/own/own-claim-menu.tsx';

interface BarMenuProps {
  request: ClaimActionsRequest;
  claim: ClaimOnRespawn | undefined;
  onClose: () => void;
}

/** The actions for a pressed claim, the destructive one last. Escape or a press elsewhere closes it. */
export function BarMenu({
  request: { anchor, waitlist_date },
  claim,
  onClose,
}: BarMenuProps): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) =>
    claim ? board.byKind.respawn.get(claim.respawn_id)?.name : undefined,
  );
  const isOwn = useSession(({ profiles }) =>
    profiles.some((one) => nameKey(one.characterName) === nameKey(claim?.character_name ?? '')),
  );
  const facts = useOwnFacts();
  const isGone = claim === undefined;
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  if (!claim) return null;
  const { character_name: name, respawn_id, hour_start: start, hour_end: end } = claim;
  const choose = (action: NonNullable<ClaimActionsRequest['action']>): void => {
    // The dialog takes the menu's place, and returns the focus to the element that has it now.
    anchor.focus({ preventScroll: true });
    openOverlay('claimActions', { request: { claim, anchor, action } });
  };
  const waitOn = (date: string): void =>
    openOverlay('joinWaitlist', {
      request: { respawn_id, date, hour_start: start, hour_end: end, anchor },
    });
  return (
    <MenuAt
      anchor={anchor}
      about={
        <>
          <b>{name}</b> {spot} {t('time.range', { start, end })}
        </>
      }
      onClose={onClose}
    >
      <MenuItem
        blocked={claim.is_held ? t('errors.hold.notEdited') : null}
        onSelect={() => choose('edit')}
      >
        {t('admin.claims.edit')}
      </MenuItem>
      {isOwn ? <OwnClaimItems actions={ownActions(claim, facts).all} /> : null}
      {waitlist_date === undefined ? null : (
        <MenuItem onSelect={() => waitOn(waitlist_date)}>
          {t('board.waitlist.joinTheseHours')}
        </MenuItem>
      )}
      <MenuItem danger onSelect={() => choose('delete')}>
        {t(claim.is_held ? 'admin.waitlist.endHold' : 'common.delete')}
      </MenuItem>
    </MenuAt>
  );
}
