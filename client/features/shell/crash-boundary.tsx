import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { reportError } from '../../api/report-error.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './page.module.css';

interface Props {
  /** The page it stands around: moving to another one tries again. */
  page: string;
  children: ReactNode;
}
interface State {
  crashed: boolean;
  page: string;
}

/** A page that fails says so and leaves the rest standing; so does one whose code could not be fetched. */
export class CrashBoundary extends Component<Props, State> {
  override state: State = { crashed: false, page: this.props.page };

  static getDerivedStateFromError(): Partial<State> {
    return { crashed: true };
  }

  static getDerivedStateFromProps({ page }: Props, state: State): State | null {
    return page === state.page ? null : { crashed: false, page };
  }

  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override render(): ReactNode {
    return this.state.crashed ? <Crashed /> : this.props.children;
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
