import { type ReactNode, useEffect, useRef } from 'react';
import { useBoard } from '../../../../state/board-store.ts';
import type { ClaimActionsRequest } from '../../../../state/overlays.ts';
import { useSession } from '../../../../state/session-store.ts';
import { ClaimConfirmation } from '../claim-confirmations.tsx';
import { findClaim } from '../claim-groups.ts';
import { EditClaimDialog } from '../edit-claim-dialog.tsx';
import { BarMenu } from './bar-menu.tsx';

/** The menu beside a pressed claim, and the dialogs of the claims tab that it opens. */
export function BarActions({
  request,
  onClose,
}: {
  request: ClaimActionsRequest;
  onClose: () => void;
}): ReactNode {
  const { claim, action, times } = request;
  const isAdmin = useSession(({ admin }) => admin !== null);
  const onBoard = useBoard((board) => board.claimsByRespawn);
  const main = useRef(document.querySelector('main'));
  const sources = [onBoard];
  useEffect(() => {
    if (!isAdmin) onClose();
  }, [isAdmin, onClose]);
  if (!isAdmin) return null;
  switch (action) {
    case 'edit':
      return (
        <EditClaimDialog claim={claim} begin={times} sources={sources} complete onClose={onClose} />
      );
    case 'delete':
      return (
        <ClaimConfirmation
          removal={{ what: 'delete', claim }}
          sources={sources}
          onClose={onClose}
          focusAfter={main}
        />
      );
    default:
      return <BarMenu request={request} claim={findClaim(sources, claim)} onClose={onClose} />;
  }
}
