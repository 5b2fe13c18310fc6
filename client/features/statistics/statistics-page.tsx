import { keepPreviousData, skipToken } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statistics } from '../../../shared/schemas/statistics.ts';
import { getStatistics } from '../../api/calls.ts';
import { useServerQuery } from '../../api/query.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { dateInWords, formatLocale } from '../../lib/words/local-time.ts';
import { useMaySeeBoard } from '../../live/use-live-board.ts';
import { useSession } from '../../state/session-store.ts';
import { FailedLoad } from '../../ui/alert.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { VisitorPage } from '../../ui/visitor-page.tsx';
import { AllCounted } from './all-counted.tsx';
import { PeriodFields } from './period-fields.tsx';
import styles from './statistics.module.css';
import { usePeriod } from './use-period.ts';

/** Who had how many hours, which spots are wanted and who did not come, of an event or on some dates. */
export function StatisticsPage(): ReactNode {
  const { t } = useTranslation();
  const title = t('statistics.title');
  usePageTitle(title);
  const isChecked = useSession((session) => session.status === 'ready');
  const maySee = useMaySeeBoard();
  if (isChecked && !maySee) return <VisitorPage title={t('statistics.nobody.title')} text={t('statistics.nobody.text')} />;
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      {isChecked ? <Shown /> : <StatisticsSkeleton />}
    </div>
  );
}

function Shown(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const period = usePeriod();
  const question = period.query;
  const {
    data: statistics,
    isFetching,
    error,
    refetch,
  } = useServerQuery({
    queryKey: ['statistics', question],
    queryFn: question ? ({ signal }) => getStatistics(question, signal) : skipToken,
    // The last answer stays until the next one is here.
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PeriodFields period={period} shown={statistics ?? null} />
      {error && !isFetching ? (
        <FailedLoad sentence={t('statistics.failed')} reason={errorText(error)} onTryAgain={() => void refetch()} />
      ) : null}
      {statistics ? (
        <div className={styles.shown} aria-busy={isFetching}>
          <Told statistics={statistics} />
          {isEmpty(statistics) ? (
            <EmptyState title={t('statistics.empty')} text={t('statistics.emptyText')} />
          ) : (
            <AllCounted statistics={statistics} />
          )}
        </div>
      ) : isFetching ? (
        <StatisticsSkeleton />
      ) : null}
    </>
  );
}

/** Of which dates it all is. */
function Told({ statistics: { from, to } }: { statistics: Statistics }): ReactNode {
  const { t, i18n } = useTranslation();
  const day = (date: string): string => dateInWords(date, formatLocale(i18n.language), { day: 'numeric', month: 'short', year: 'numeric' });
  return (
    <p role="status" className={styles.told}>
      {t('statistics.told', { from: day(from), to: day(to) })}
    </p>
  );
}

const isEmpty = ({ hours_by_member, wanted_spots, no_shows }: Statistics): boolean =>
  hours_by_member.length === 0 && wanted_spots.length === 0 && no_shows.length === 0;

function StatisticsSkeleton(): ReactNode {
  return (
    <Panel>
      <Loading>
        <Skeleton height={320} />
      </Loading>
    </Panel>
  );
}
