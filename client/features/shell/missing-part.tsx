import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { servedBuild } from '../../lib/loading/new-build.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './page.module.css';

/** In the place of a page whose program, or whose sentences, did not come. It tries again when it is told to, and never by itself. */
export function MissingPart(): ReactNode {
  const { t } = useTranslation();
  const [state, setState] = useState<'idle' | 'trying' | 'away'>('idle');
  const tryAgain = async (): Promise<void> => {
    setState('trying');
    // Some browsers keep what they could not fetch: a page that is loaded anew asks for it in any case. A page there must be.
    if (await servedBuild()) location.reload();
    else setState('away');
  };
  return (
    <div className={styles.narrow} role="alert">
      <EmptyState
        page
        title={t('shell.part.title')}
        text={t(state === 'away' ? 'shell.part.away' : 'shell.part.text')}
        action={
          <Button variant="primary" busy={state === 'trying'} onClick={() => void tryAgain()}>
            {t('common.tryAgain')}
          </Button>
        }
      />
    </div>
  );
}
