import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import styles from './parts.module.css';

export type Tone = 'plain' | 'good' | 'bad' | 'accent';

export interface AlertProps {
  tone?: Tone | undefined;
  title?: ReactNode;
  action?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}

/** Something to know, where it matters. A bad one is read out at once, the others when there is a pause. */
export function Alert({
  tone = 'plain',
  title,
  action,
  className,
  children,
}: AlertProps): ReactNode {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={classes(styles.alert, tone !== 'plain' && styles[tone], className)}
    >
      <div className={styles.alertText}>
        {title ? <p className="strong">{title}</p> : null}
        {children ? <div>{children}</div> : null}
      </div>
      {action}
    </div>
  );
}

export interface FailedLoadProps {
  sentence: ReactNode;
  reason: ReactNode;
  onTryAgain: () => void;
  className?: string | undefined;
}

export function FailedLoad({
  sentence,
  reason,
  onTryAgain,
  className,
}: FailedLoadProps): ReactNode {
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
