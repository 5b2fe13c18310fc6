import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../lib/page-title.ts';
import { Alert } from '../../ui/alert.tsx';
import { Boundary } from '../../ui/boundary.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PartFailed } from '../../ui/part-failed.tsx';
import styles from './page.module.css';

/** Around a page: if it fails, or its code cannot be fetched, it says so and the rest stays. Another page tries again. */
export function PageBoundary({ path, children }: { path: string; children: ReactNode }): ReactNode {
  return (
    <Boundary
      resetOn={path}
      instead={(_tryAgain, { cause }) => (cause === 'missing' ? <MissingPage /> : <Crashed />)}
    >
      {children}
    </Boundary>
  );
}

/** In the place of a page whose code, or whose sentences, could not be fetched. */
export function MissingPage(): ReactNode {
  return (
    <div className="narrow-page" role="alert">
      <PartFailed page />
    </div>
  );
}

/** In the place of a page, or of everything. */
export function Crashed(): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="narrow-page" role="alert">
      <EmptyState
        page
        title={t('shell.crash.title')}
        text={t('shell.crash.text')}
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            {t('shell.crash.action')}
          </Button>
        }
      />
    </div>
  );
}

type Part = 'navigation' | 'messages';

/** A part beside the page, which fails without taking the page along. */
export function BesidePage({ part, children }: { part: Part; children: ReactNode }): ReactNode {
  return (
    <Boundary instead={(tryAgain) => <CrashedFramePart part={part} onTryAgain={tryAgain} />}>
      {children}
    </Boundary>
  );
}

function CrashedFramePart({ part, onTryAgain }: { part: Part; onTryAgain: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert
      tone="bad"
      className={styles[part]}
      action={
        <Button small onClick={onTryAgain}>
          {t('common.tryAgain')}
        </Button>
      }
    >
      {t(`shell.crash.${part}`)}
    </Alert>
  );
}

export function NotFoundPage(): ReactNode {
  const { t } = useTranslation();
  usePageTitle(t('shell.notFound.title'));
  return (
    <div className="narrow-page">
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
