import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type FreeAt, nextShorter } from '../../../../shared/rules/free-at.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { Free } from './use-free.ts';

export interface NothingFreeProps {
  free: Free;
  /** The spots that match everything else. */
  ids: readonly number[];
  onChange: (asked: FreeAt | null) => void;
}

/** No spot fits: what comes nearest, one press away. */
export function NothingFree({ free, ids, onChange }: NothingFreeProps): ReactNode {
  const { t } = useTranslation();
  const { hour_start, duration, over } = free;
  const anyHour = <Button onClick={() => onChange(null)}>{t('board.freeAt.showAll')}</Button>;
  if (over >= HOURS_IN_DAY) return <EmptyState title={t('board.freeAt.dayOver')} action={anyHour} />;
  if (hour_start < over) {
    return (
      <EmptyState
        title={t('board.freeAt.hourOver', { hour: hour_start })}
        action={
          <>
            <Button variant="primary" onClick={() => onChange({ hour_start: over, duration })}>
              {t('board.freeAt.fromHour', { hour: over })}
            </Button>
            {anyHour}
          </>
        }
      />
    );
  }
  const shorter = nextShorter(ids.map((id) => free.rooms.get(id) ?? 0));
  if (!shorter) return <EmptyState title={t('board.freeAt.noneAtAll', { hour: hour_start })} action={anyHour} />;
  return (
    <EmptyState
      title={`${t('board.freeAt.none', { count: duration })}; ${t('board.freeAt.someFit', { count: shorter.count, hours: shorter.duration })}`}
      text={hour_start + duration > HOURS_IN_DAY ? t('board.freeAt.pastDay', { hour: hour_start, duration }) : null}
      action={
        <>
          <Button variant="primary" onClick={() => onChange({ hour_start, duration: shorter.duration })}>
            {t('board.freeAt.show', { count: shorter.duration })}
          </Button>
          {anyHour}
        </>
      }
    />
  );
}
