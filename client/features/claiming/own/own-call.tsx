import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { Button, type ButtonProps } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { type Action, useAction } from '../../../ui/use-action.ts';
import { copyForDiscord } from '../discord-text.ts';
import type { OwnAction } from './own-actions.ts';

/** Runs actions that need no dialog, and reports the result. */
export function useOwnCall(): Action<OwnAction> {
  const { t } = useTranslation();
  const spotOf = ({ respawn_id }: OwnAction['claim']): string =>
    useBoard.getState().byKind.respawn.get(respawn_id)?.name ?? '';
  const action = useAction({
    work: async ({ claim, call }: OwnAction) => {
      const viewer = nameKey(claim.character_name);
      const { profiles } = useSession.getState();
      const profile = profiles.find((one) => nameKey(one.characterName) === viewer);
      await call?.(profile?.accessKey ?? '');
    },
    done: (_, { id, claim, to }) => {
      const spot = spotOf(claim);
      const end = claim.hour_end;
      if (id === 'confirm') showToast({ text: t('myClaims.confirm.done', { spot, end }) });
      if (id === 'withdraw') showToast({ tone: 'plain', text: t('transfer.withdrawn', { to }) });
    },
    failed: (reason, { id }) =>
      t(id === 'confirm' ? 'myClaims.confirm.failed' : 'transfer.withdrawFailed', { reason }),
  });
  // Calls wait for a connection; a copy needs none.
  const run = (own: OwnAction): void =>
    own.id === 'copy' ? copyForDiscord(own.claim, spotOf(own.claim), t) : action.run(own);
  return { ...action, run };
}

export function CallButton({ action, ...look }: ButtonProps & { action: OwnAction }): ReactNode {
  const call = useOwnCall();
  return <Button {...look} busy={call.isBusy} onClick={() => call.run(action)} />;
}
