import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { withdrawTransfer } from '../../../api/calls.ts';
import { useBoard } from '../../../state/board-store.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { type OwnTransfer, useOwnActions, useOwnTransfers } from '../../../state/own-claims.ts';
import { BlockedButton, Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';

interface TransferActionsProps {
  claim: ClaimOnRespawn;
  /** Called before a dialog opens. */
  onChosen?: () => void;
}

/** "Hand over…" and "Swap…", or "Withdraw offer" while the claim is offered; nothing if it can't be transferred. */
export function TransferActions({ claim, onChosen }: TransferActionsProps): ReactNode {
  const { t } = useTranslation();
  const { isTransferable } = useOwnActions()(claim);
  const isOffline = useBoard((board) => board.connection === 'offline');
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name) ?? '';
  const open = useOwnTransfers().find(
    ({ transfer }) => transfer.claim_id === claim.id || transfer.for_claim_id === claim.id,
  );
  if (open) return open.isReceived ? null : <WithdrawButton own={open} />;
  if (!isTransferable) return null;
  return (['handover', 'swap'] as const).map((way) => {
    const look = {
      children: t(`transfer.${way}.open`),
      'aria-label': t(`transfer.${way}.openNamed`, { spot }),
    };
    if (isOffline) return <BlockedButton key={way} {...look} reason={t('errors.network.failed')} />;
    return (
      <Button
        key={way}
        {...look}
        aria-haspopup="dialog"
        onClick={() => {
          onChosen?.();
          openOverlay('transfer', { claim, way });
        }}
      />
    );
  });
}

function WithdrawButton({ own: { transfer, profile } }: { own: OwnTransfer }): ReactNode {
  const { t } = useTranslation();
  const withdraw = useAction({
    work: () => withdrawTransfer(transfer.id, profile.accessKey),
    done: () => showToast({ tone: 'plain', text: t('transfer.withdrawn', { to: transfer.to }) }),
    failed: (reason) => t('transfer.withdrawFailed', { reason }),
  });
  return (
    <Button
      busy={withdraw.isBusy}
      onClick={() => withdraw.run()}
      aria-label={t('transfer.withdrawNamed', { to: transfer.to })}
    >
      {t('transfer.withdraw')}
    </Button>
  );
}
