import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { Button, type ButtonProps } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { type Action, useAction } from '../../../ui/use-action.ts';
import type { OwnAction } from './own-actions.ts';

/** Sends an action that needs no dialog, and reports the result. */
export function useOwnCall(): Action<OwnAction> {
  const { t } = useTranslation();
  return useAction({
    work: async ({ claim, call }: OwnAction) => {
      const viewer = nameKey(claim.character_name);
      const { profiles } = useSession.getState();
      const profile = profiles.find((one) => nameKey(one.characterName) === viewer);
      await call?.(profile?.accessKey ?? '');
    },
    done: (_, { id, claim: { respawn_id, hour_end: end }, to }) => {
      const spot = useBoard.getState().byKind.respawn.get(respawn_id)?.name ?? '';
      if (id === 'confirm') showToast({ text: t('myClaims.confirm.done', { spot, end }) });
      if (id === 'withdraw') showToast({ tone: 'plain', text: t('transfer.withdrawn', { to }) });
    },
    failed: (reason, { id }) =>
      t(id === 'confirm' ? 'myClaims.confirm.failed' : 'transfer.withdrawFailed', { reason }),
  });
}

export function CallButton({ action, ...look }: ButtonProps & { action: OwnAction }): ReactNode {
  const call = useOwnCall();
  return <Button {...look} busy={call.isBusy} onClick={() => call.run(action)} />;
}
