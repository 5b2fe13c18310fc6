import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from './alert.tsx';
import { Boundary } from './boundary.tsx';
import { Button } from './button.tsx';
import { PartFailed } from './part-failed.tsx';

interface PartBoundaryProps {
  /** Drawn while the part is fetched. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Around a lazily loaded part of a page: if it fails, it says so in its own place and the rest of the page stays. */
export function PartBoundary({ fallback, children }: PartBoundaryProps): ReactNode {
  return (
    <Boundary
      instead={(tryAgain, { cause, count }) => (
        <div role="alert">
          {cause === 'crash' ? (
            <CrashedPart onTryAgain={tryAgain} />
          ) : (
            // A browser that keeps a module's failure never fetches it again: the second time, only a reload helps (see `reloadPage`).
            <PartFailed onTryAgain={count > 1 ? undefined : tryAgain} />
          )}
        </div>
      )}
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  );
}

function CrashedPart({ onTryAgain }: { onTryAgain: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert
      tone="bad"
      action={
        <Button small onClick={onTryAgain}>
          {t('common.tryAgain')}
        </Button>
      }
    >
      {t('shell.partFailed.title')}
    </Alert>
  );
}
