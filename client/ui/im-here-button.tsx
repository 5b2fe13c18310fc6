import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import { confirmClaim, partOf } from '../api/calls.ts';
import { BlockedButton, Button } from './button.tsx';
import { showToast } from './toast.tsx';
import { useAction } from './use-action.ts';

export interface ImHereButtonProps {
  claim: ClaimOnRespawn;
  /** Its spot's name. */
  spot: string;
  /** Of the claim's character. */
  access_key: string;
  /** The server cannot be reached: it says so instead of failing. */
  isOffline?: boolean;
  small?: boolean;
}

/** "I'm here": confirms a claim within its window. Shown wherever its holder sees the claim. */
export function ImHereButton({
  claim,
  spot,
  access_key,
  isOffline = false,
  small,
}: ImHereButtonProps): ReactNode {
  const { t } = useTranslation();
  const confirm = useAction({
    work: () => confirmClaim(claim.id, partOf(claim), access_key),
    done: () => showToast({ text: t('myClaims.confirm.done', { spot, end: claim.hour_end }) }),
    failed: (reason) => t('myClaims.confirm.failed', { reason }),
  });
  const look = {
    variant: 'primary',
    small,
    children: t('myClaims.confirm.action'),
    'aria-label': t('myClaims.confirm.name', { spot }),
  } as const;
  if (isOffline) return <BlockedButton {...look} reason={t('errors.network.failed')} />;
  return <Button {...look} busy={confirm.isBusy} onClick={() => confirm.run()} />;
}
