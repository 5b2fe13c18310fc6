import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router-dom';
import { buttonClass } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { PageBoundary } from './crash-boundary.tsx';
import { NewVersion } from './new-version.tsx';
import styles from './page.module.css';
import { SessionEnded } from './session-ended.tsx';
import { StorageNotice } from './storage-notice.tsx';

/** What is around every page. */
export function PageFrame({ navbar }: { navbar: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const main = useFocusOnPageChange(pathname);
  return (
    <div className={styles.app}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page; only the address stays as it is */}
      <a
        href="#main"
        className={buttonClass({ variant: 'primary' }, styles.skip)}
        onClick={(event) => {
          // The address keeps its fragment: an invitation's token is in there.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t('shell.skip')}
      </a>
      {navbar}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <NewVersion />
        <SessionEnded />
        <StorageNotice />
        <PageBoundary path={pathname}>
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </PageBoundary>
      </main>
      <Footer />
    </div>
  );
}

/** A link to another page starts reading there, at its top. The first page is left alone. */
function useFocusOnPageChange(pathname: string): React.RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    // Tabs of one page change the path, too; they keep the focus.
    const pageOf = (path: string): string => path.split('/').slice(0, 3).join('/');
    if (pageOf(shown.current) !== pageOf(pathname)) {
      window.scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
    shown.current = pathname;
  }, [pathname]);
  return main;
}

function PageSkeleton(): ReactNode {
  return (
    <Loading className={styles.narrow}>
      <div className={styles.waiting}>
        <Skeleton width="40%" height={26} />
        <Skeleton height={120} />
        <Skeleton height={180} />
      </div>
    </Loading>
  );
}

function Footer(): ReactNode {
  const { t } = useTranslation();
  return (
    <footer className={styles.footer}>
      <p>{t('shell.footer.publisher')}</p>
      <p>{t('shell.footer.creators')}</p>
    </footer>
  );
}
