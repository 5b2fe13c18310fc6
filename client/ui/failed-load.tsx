import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';

export interface FailedLoadProps {
  sentence: string;
  reason: ReactNode;
  onTryAgain: () => void;
  className?: string | undefined;
}

/** What could not be loaded, why, and another try. */
export function FailedLoad({ sentence, reason, onTryAgain, className }: FailedLoadProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert
      tone="bad"
      title={sentence}
      className={className}
      action={
        <Button small onClick={onTryAgain}>
          {t('common.tryAgain')}
        </Button>
      }
    >
      {reason}
    </Alert>
  );
}
