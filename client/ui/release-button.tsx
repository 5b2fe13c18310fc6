import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BlockedButton, Button } from './button.tsx';

export interface ReleaseButtonProps {
  /** Its spot's name. */
  spot: string;
  /** Some of its hours are over, or run: these stay. */
  isRunning: boolean;
  /** The server cannot be reached: it says so instead of failing. */
  isOffline: boolean;
  small?: boolean;
  /** Asks first. */
  onPress: () => void;
}

export function ReleaseButton({
  spot,
  isRunning,
  isOffline,
  small,
  onPress,
}: ReleaseButtonProps): ReactNode {
  const { t } = useTranslation();
  const look = {
    small,
    children: t(isRunning ? 'myClaims.release.rest' : 'myClaims.release.whole'),
    'aria-label': t('myClaims.release.name', { spot }),
  };
  if (isOffline) return <BlockedButton {...look} reason={t('errors.network.failed')} />;
  return <Button {...look} aria-haspopup="dialog" onClick={onPress} />;
}
