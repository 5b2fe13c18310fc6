import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/alert.tsx';
import { Boundary } from '../../ui/boundary.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './page.module.css';

type Part = 'navigation' | 'messages';

/** A part beside the page, which fails without taking the page along. */
export function BesidePage({ part, children }: { part: Part; children: ReactNode }): ReactNode {
  return <Boundary instead={(tryAgain) => <PartFailed part={part} onTryAgain={tryAgain} />}>{children}</Boundary>;
}

function PartFailed({ part, onTryAgain }: { part: Part; onTryAgain: () => void }): ReactNode {
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
