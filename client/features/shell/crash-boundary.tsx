import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { reportError } from '../../api/report-error.ts';
import { PartMissing } from '../../lib/loading/lazy-part.ts';
import { Alert } from '../../ui/alert.tsx';
import { Boundary } from '../../ui/boundary.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MissingPart } from './missing-part.tsx';
import styles from './page.module.css';

interface Props {
  /** The page it stands around: moving to another one tries again. */
  page: string;
  children: ReactNode;
}
interface State {
  /** `part`: its program could not be fetched, which is nobody's mistake. */
  crashed: 'no' | 'part' | 'mistake';
  page: string;
}

/** A page that fails says so and leaves the rest standing; so does one whose code could not be fetched. */
export class CrashBoundary extends Component<Props, State> {
  override state: State = { crashed: 'no', page: this.props.page };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { crashed: error instanceof PartMissing ? 'part' : 'mistake' };
  }

  static getDerivedStateFromProps({ page }: Props, state: State): State | null {
    return page === state.page ? null : { crashed: 'no', page };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof PartMissing) error.forget();
    reportError(error);
  }

  override render(): ReactNode {
    const { crashed } = this.state;
    if (crashed === 'part') return <MissingPart />;
    return crashed === 'mistake' ? <Crashed /> : this.props.children;
  }
}

/** In the place of a page, or of everything. */
export function Crashed(): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.narrow} role="alert">
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
