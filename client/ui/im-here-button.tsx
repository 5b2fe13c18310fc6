import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import { confirmClaim, partOf } from '../api/calls.ts';
import { useErrorText } from '../lib/words/error-text.ts';
import { BlockedButton, Button } from './button.tsx';
import { showToast } from './toast.tsx';

export interface ImHereButtonProps {
  claim: ClaimOnRespawn;
  /** Its spot's name. */
  spot: string;
  /** Of the claim's character. */
  access_key: string;
  /** The server cannot be reached: it says so instead of failing. */
  isOffline: boolean;
  small?: boolean;
}

/** "I'm here": confirms a claim within its window. Shown wherever its holder sees the claim. */
export function ImHereButton({
  claim,
  spot,
  access_key,
  isOffline,
  small,
}: ImHereButtonProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const look = {
    variant: 'primary',
    small,
    children: t('myClaims.confirm.action'),
    'aria-label': t('myClaims.confirm.name', { spot }),
  } as const;
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await confirmClaim(claim.id, partOf(claim), access_key);
      showToast({ text: t('myClaims.confirm.done', { spot, end: claim.hour_end }) });
    } catch (error) {
      showToast({ tone: 'bad', text: t('myClaims.confirm.failed', { reason: errorText(error) }) });
    }
    setBusy(false);
  };
  if (isOffline) return <BlockedButton {...look} reason={t('errors.network.failed')} />;
  return <Button {...look} busy={busy} onClick={() => void confirm()} />;
}
