import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { type ClaimActionsRequest, openOverlay } from '../../../../state/overlays.ts';
import { useOwnActions } from '../../../../state/own-claims.ts';
import { useSession } from '../../../../state/session-store.ts';
import { BlockedButton, Button } from '../../../../ui/button.tsx';
import { ClaimMenu } from '../../../claiming/claim-menu.tsx';
import { TransferActions } from '../../../claiming/transfer/transfer-actions.tsx';
import { useDayInWords } from '../claim-words.tsx';

/** An action that opens a dialog. */
export type BarAction = 'edit' | 'delete';

interface BarMenuProps {
  request: ClaimActionsRequest;
  /** The claim as it is now; undefined if it is gone. */
  claim: ClaimOnRespawn | undefined;
  onChoose: (action: BarAction) => void;
  onClose: () => void;
}

/** The actions for a pressed claim, the destructive one last. Escape or a press elsewhere closes it. */
export function BarMenu({
  request: { anchor, waitlist_date },
  claim,
  onChoose,
  onClose,
}: BarMenuProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const spot = useBoard((board) =>
    claim ? board.byKind.respawn.get(claim.respawn_id)?.name : undefined,
  );
  const isOwn = useSession(({ profiles }) =>
    profiles.some((one) => nameKey(one.characterName) === nameKey(claim?.character_name ?? '')),
  );
  const actionsOf = useOwnActions();
  const isGone = claim === undefined;
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  if (!claim) return null;
  const { character_name: name, respawn_id, hour_start: start, hour_end: end } = claim;
  const about = { name, day: dayInWords(claim), hours: t('time.range', { start, end }) };
  const waitOn = (date: string): void => {
    anchor.focus({ preventScroll: true });
    onClose();
    openOverlay('joinWaitlist', {
      request: { respawn_id, date, hour_start: start, hour_end: end, anchor },
    });
  };
  const leave = (): void => {
    anchor.focus({ preventScroll: true });
    onClose();
  };
  const release = (): void => {
    leave();
    openOverlay('release', { claim });
  };
  return (
    <ClaimMenu
      label={t('admin.claims.barLabel', about)}
      name={name}
      spot={spot}
      hours={about.hours}
      anchor={anchor}
      onClose={onClose}
    >
      {claim.is_held ? (
        <BlockedButton reason={t('errors.hold.notEdited')}>{t('admin.claims.edit')}</BlockedButton>
      ) : (
        <Button onClick={() => onChoose('edit')}>{t('admin.claims.edit')}</Button>
      )}
      {isOwn ? <TransferActions claim={claim} onChosen={leave} /> : null}
      {isOwn && actionsOf(claim).release?.stays ? (
        <Button onClick={release}>{t('myClaims.release.rest')}</Button>
      ) : null}
      {waitlist_date === undefined ? null : (
        <Button onClick={() => waitOn(waitlist_date)}>{t('board.waitlist.joinTheseHours')}</Button>
      )}
      <Button variant="danger" onClick={() => onChoose('delete')}>
        {t(claim.is_held ? 'admin.waitlist.endHold' : 'common.delete')}
      </Button>
    </ClaimMenu>
  );
}
