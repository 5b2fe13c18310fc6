import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Destination } from '../../../../../shared/schemas/destination.ts';
import { useErrorText } from '../../../../lib/words/error-text.ts';
import { FailedLoad } from '../../../../ui/alert.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Panel } from '../../../../ui/panel.tsx';
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx';
import tab from '../../tab.module.css';
import { DeliveriesTable } from './deliveries-table.tsx';
import { useDeliveries } from './use-deliveries.ts';

/** The last fifty tries of a destination, the newest first, while they happen. */
export function Deliveries({ destination }: { destination: Destination }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { deliveries, isLoading, error, load } = useDeliveries(destination);
  const { name } = destination;
  return (
    <section aria-label={t('admin.notifications.deliveries.of', { name })} className={tab.list}>
      {error ? <FailedLoad sentence={t('admin.notifications.deliveries.failed')} reason={errorText(error)} onTryAgain={load} /> : null}
      {deliveries === null && isLoading ? (
        <Loading className={tab.placeholders}>
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} height={44} />
          ))}
        </Loading>
      ) : null}
      {deliveries?.length === 0 ? (
        <EmptyState title={t('admin.notifications.deliveries.empty.title')} text={t('admin.notifications.deliveries.empty.text')} />
      ) : null}
      {deliveries && deliveries.length > 0 ? (
        <>
          <p className={tab.count}>{t('admin.notifications.deliveries.last', { count: deliveries.length })}</p>
          <Panel flush>
            <DeliveriesTable caption={t('admin.notifications.deliveries.of', { name })} deliveries={deliveries} />
          </Panel>
        </>
      ) : null}
    </section>
  );
}
