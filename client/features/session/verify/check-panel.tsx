import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { CheckFailure } from './check-failure.tsx';
import { CheckProgress } from './check-progress.tsx';
import styles from './code-step.module.css';
import type { Check } from './use-check.ts';
import type { VerificationSettings } from './use-verification-settings.ts';

export interface CheckPanelProps {
  check: Check;
  name: string;
  settings: VerificationSettings;
}

/** Starts and stops the check, and says how it goes. */
export function CheckPanel({ check, name, settings }: CheckPanelProps): ReactNode {
  const { t } = useTranslation();
  const isManual = settings.character_check === 'manual';
  const isRunning = check.attempt !== null;
  const heading = useFocusOnTurn(isRunning);
  return (
    <Panel>
      <h2 ref={heading} tabIndex={-1} className={styles.title}>
        {useCheckTitle(isRunning, isManual)}
      </h2>
      {check.attempt === null ? (
        <>
          {check.end ? <CheckFailure end={check.end} name={name} /> : null}
          <p className={styles.lag}>{isManual ? t('verify.manual.lag') : t('verify.check.lag')}</p>
          <Button variant="primary" onClick={check.start}>
            {t('verify.check.start')}
          </Button>
        </>
      ) : (
        <>
          <CheckProgress attempt={check.attempt} last={check.last} />
          <Button onClick={check.stop}>{t('verify.check.stop')}</Button>
        </>
      )}
    </Panel>
  );
}

function useCheckTitle(isRunning: boolean, isManual: boolean): string {
  const { t } = useTranslation();
  if (isManual) return isRunning ? t('verify.manual.running') : t('verify.manual.checkTitle');
  return isRunning ? t('verify.check.running') : t('verify.check.title');
}

/** The button that was pressed is gone when the check starts or stops: the focus stays beside it. */
function useFocusOnTurn(isRunning: boolean): React.RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const was = useRef(isRunning);
  useEffect(() => {
    if (was.current !== isRunning) heading.current?.focus();
    was.current = isRunning;
  }, [isRunning]);
  return heading;
}
