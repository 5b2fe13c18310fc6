import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useBoard } from '../../../../state/board-store.ts';
import type { ClaimActionsRequest } from '../../../../state/overlays.ts';
import { useSession } from '../../../../state/session-store.ts';
import { ClaimConfirmation } from '../claim-confirmations.tsx';
import { findClaim } from '../claim-groups.ts';
import { EditClaimDialog } from '../edit-claim-dialog.tsx';
import { type BarAction, BarMenu } from './bar-menu.tsx';

/** The menu beside a pressed claim, and the dialogs of the claims tab that it opens. */
export function BarActions({
  request,
  onClose,
}: {
  request: ClaimActionsRequest;
  onClose: () => void;
}): ReactNode {
  const { claim, anchor, times } = request;
  const [action, setAction] = useState<BarAction | null>(times ? 'edit' : null);
  const isAdmin = useSession(({ admin }) => admin !== null);
  const onBoard = useBoard((board) => board.claimsByRespawn);
  const main = useRef(document.querySelector('main'));
  const sources = [onBoard];
  useEffect(() => {
    if (!isAdmin) onClose();
  }, [isAdmin, onClose]);
  const choose = (next: BarAction): void => {
    // The dialog returns the focus to the element that has it now.
    anchor.focus({ preventScroll: true });
    setAction(next);
  };
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
    case null:
      return (
        <BarMenu
          request={request}
          claim={findClaim(sources, claim)}
          onChoose={choose}
          onClose={onClose}
        />
      );
  }
}
