import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../state/board-store.ts';
import { BlockedButton, Button, type ButtonProps } from '../../ui/button.tsx';

/** A button for what the server has to do: while it cannot be reached it says so instead of failing. */
export function OnlineButton({ variant, small, children, 'aria-label': label, ...rest }: ButtonProps): ReactNode {
  const { t } = useTranslation();
  const isOffline = useBoard((board) => board.connection === 'offline');
  const look = { variant, small, children, 'aria-label': label };
  return isOffline ? <BlockedButton {...look} reason={t('errors.network.failed')} /> : <Button {...look} {...rest} />;
}
