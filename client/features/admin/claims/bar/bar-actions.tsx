import { type ReactNode, useRef, useState } from 'react';
import { type AskedBar, finishAskingAboutBar } from '../../../../state/asked-bar.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { ClaimConfirmation } from '../claim-confirmations.tsx';
import { findClaim } from '../shown/claim-groups.ts';
import { TimesDialog } from '../times/times-dialog.tsx';
import { type BarDoing, BarMenu } from './bar-menu.tsx';
import { MoveDialog } from './move-dialog.tsx';

/** A menu beside the claim's bar, and the dialogs it leads to: those of the claims tab. */
export function BarActions({ asked }: { asked: AskedBar }): ReactNode {
  const [doing, setDoing] = useState<BarDoing | null>(asked.times ? 'times' : null);
  const onBoard = useBoard((board) => board.claimsByRespawn);
  const main = useRef(document.querySelector('main'));
  const sources = [onBoard];
  const { claim, anchor, times } = asked;
  const close = (): void => finishAskingAboutBar(asked);
  const choose = (next: BarDoing): void => {
    // The dialog gives the focus back to what has it now.
    anchor.focus({ preventScroll: true });
    setDoing(next);
  };
  switch (doing) {
    case 'times':
      return <TimesDialog claim={claim} begin={times} sources={sources} complete onClose={close} />;
    case 'move':
      return <MoveDialog claim={claim} live={findClaim(sources, claim)} onClose={close} />;
    case 'delete':
      return <ClaimConfirmation removal={{ what: 'delete', claim }} sources={sources} onClose={close} focusAfter={main} />;
    case null:
      return <BarMenu asked={asked} claim={findClaim(sources, claim)} onChoose={choose} />;
  }
}
