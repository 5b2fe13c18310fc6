import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './page.module.css';

export function NotFoundPage(): ReactNode {
  const { t } = useTranslation();
  usePageTitle(t('shell.notFound.title'));
  return (
    <div className={styles.narrow}>
      <EmptyState
        page
        title={t('shell.notFound.title')}
        text={t('shell.notFound.text')}
        action={
          <ButtonLink to="/" variant="primary">
            {t('shell.notFound.action')}
          </ButtonLink>
        }
      />
    </div>
  );
}
