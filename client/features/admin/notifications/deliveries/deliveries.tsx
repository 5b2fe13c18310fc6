import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Destination } from '../../../../../shared/schemas/destination.ts';
import { useMediaQuery } from '../../../../lib/use-media-query.ts';
import { useErrorText } from '../../../../lib/words/error-text.ts';
import { FailedLoad } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { MEDIA } from '../../../../ui/media.ts';
import { Panel } from '../../../../ui/panel.tsx';
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx';
import tab from '../../tab.module.css';
import styles from './deliveries.module.css';
import { DeliveriesTable } from './deliveries-table.tsx';
import { useDeliveries } from './use-deliveries.ts';

/** Where each is a card as high as a thumb is long. */
/** So many of them are there at first. */
const FIRST = 10;

/** The last fifty tries of a destination, the newest first, while they happen. */
export function Deliveries({ destination }: { destination: Destination }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { deliveries, isLoading, error, load } = useDeliveries(destination);
  const { name } = destination;
  const isPhone = useMediaQuery(MEDIA.small);
  const [isAll, setIsAll] = useState(false);
  const section = useRef<HTMLElement>(null);
  const shown = isPhone && !isAll ? deliveries?.slice(0, FIRST) : deliveries;
  // The button that was pressed is gone: the focus goes on to the first that came.
  useLayoutEffect(() => {
    if (isAll) section.current?.querySelectorAll('summary')[FIRST]?.focus({ preventScroll: true });
  }, [isAll]);
  return (
    <section ref={section} aria-label={t('admin.notifications.deliveries.of', { name })} className={tab.list}>
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
      {deliveries && shown && shown.length > 0 ? (
        <>
          <p className={tab.count}>{t('admin.notifications.deliveries.last', { count: deliveries.length })}</p>
          <Panel flush>
            <DeliveriesTable caption={t('admin.notifications.deliveries.of', { name })} deliveries={shown} />
          </Panel>
          {shown.length < deliveries.length ? (
            <Button className={styles.all} onClick={() => setIsAll(true)}>
              {t('admin.notifications.deliveries.all')}
            </Button>
          ) : null}
        </>
      ) : null}
    </section>
  );
}
