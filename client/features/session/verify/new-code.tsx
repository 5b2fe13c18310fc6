import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import styles from './code-step.module.css';
import { useCodeRequest } from './use-code-request.ts';

/** Asks for another code for the same character; it takes the place of the one that is kept. */
export function NewCode({ name, plain }: { name: string; plain?: boolean }): ReactNode {
  const { t } = useTranslation();
  const { busy, failure, request } = useCodeRequest();
  return (
    <div className={styles.stack}>
      {failure ? <Alert tone="bad">{failure.text}</Alert> : null}
      <div>
        <Button variant={plain ? 'plain' : 'primary'} busy={busy} onClick={() => void request(name)}>
          {t('verify.code.another')}
        </Button>
      </div>
    </div>
  );
}
