import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { keepForReturn } from '../lib/discord-return.ts';
import { buttonClass } from './button.tsx';

/** Leaves the page for Discord's, which leads back to /login. */
export function DiscordLink({ wide }: { wide?: boolean }): ReactNode {
  const { t } = useTranslation();
  const { state } = useLocation();
  return (
    <a
      href="/api/discord/sign-in"
      className={buttonClass({ wide })}
      onClick={() => keepForReturn(state)}
    >
      {t('login.discord')}
    </a>
  );
}
