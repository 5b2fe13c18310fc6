import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { servedBuild } from '../lib/loading/new-build.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

interface PartFailedProps {
  /** Fetches the part again without a new page; undefined where only a reload helps. */
  onTryAgain?: (() => void) | undefined;
  /** In place of a whole page. */
  page?: boolean;
}

/** Shown in place of a part whose code or sentences could not be loaded. Reloading is left to the user. */
export function PartFailed({ onTryAgain, page = false }: PartFailedProps): ReactNode {
  const { t } = useTranslation();
  const [state, setState] = useState<'idle' | 'checking' | 'unreachable'>('idle');
  const reload = async (): Promise<void> => {
    setState('checking');
    // Only while the server answers: the browser's own error page would be worse than this one.
    if (await servedBuild()) location.reload();
    else setState('unreachable');
  };
  return (
    <EmptyState
      page={page}
      title={t('shell.partFailed.title')}
      text={t(state === 'unreachable' ? 'shell.partFailed.serverDown' : 'shell.partFailed.text')}
      action={
        <Button
          variant="primary"
          busy={state === 'checking'}
          onClick={onTryAgain ?? (() => void reload())}
        >
          {t(onTryAgain || page ? 'common.tryAgain' : 'shell.crash.action')}
        </Button>
      }
    />
  );
}
