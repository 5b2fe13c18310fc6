import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { returnTo } from '../lib/return-to.ts';
import { ButtonLink } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

/** In place of a page that is for those who are logged in: why there is nothing to see, and the way in. */
export function VisitorPage({ title, text }: { title: string; text: string }): ReactNode {
  const { t } = useTranslation();
  const target = returnTo(useLocation());
  return (
    <div className="notice-page">
      <EmptyState
        page
        title={title}
        text={text}
        action={
          <>
            <ButtonLink to="/login?type=access-key" state={target} variant="primary">
              {t('board.visitor.login')}
            </ButtonLink>
            <ButtonLink to="/verify">{t('shell.verifyCharacter')}</ButtonLink>
          </>
        }
      />
    </div>
  );
}
