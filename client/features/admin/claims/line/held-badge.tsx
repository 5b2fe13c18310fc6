import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMinutesLeft } from '../../../../state/clock.ts';
import { Badge } from '../../../../ui/badge.tsx';

/** These hours are held for somebody, and for how long still: it counts by itself. */
export function HeldBadge({ until }: { until: string }): ReactNode {
  const { t } = useTranslation();
  const count = useMinutesLeft(until);
  return (
    <Badge tone="accent">
      {t('admin.line.held')}, {t('time.minutesLeft', { count })}
    </Badge>
  );
}
