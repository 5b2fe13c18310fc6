import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { withdrawTransfer } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { type OwnTransfer, useOwnActions, useOwnTransfers } from '../../../state/own-claims.ts';
import { BlockedButton, Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast.tsx';

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
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const withdraw = async (): Promise<void> => {
    setBusy(true);
    try {
      await withdrawTransfer(transfer.id, profile.accessKey);
      showToast({ tone: 'plain', text: t('transfer.withdrawn', { to: transfer.to }) });
    } catch (error) {
      showToast({ tone: 'bad', text: t('transfer.withdrawFailed', { reason: errorText(error) }) });
    }
    setBusy(false);
  };
  return (
    <Button
      busy={busy}
      onClick={() => void withdraw()}
      aria-label={t('transfer.withdrawNamed', { to: transfer.to })}
    >
      {t('transfer.withdraw')}
    </Button>
  );
}
