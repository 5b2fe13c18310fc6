import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDayText } from '../../../lib/time-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMinutesLeft } from '../../../state/clock.ts';
import { Badge } from '../../../ui/badge.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import tab from '../tab.module.css';
import { MemberLink } from '../table/member-link.tsx';

export interface Day {
  date: string | null;
  event_id: number | null;
}

/** "Sat 21 Nov 2026"; for a claim of every day of an event, the event's name. */
export function useDayInWords(): (day: Day) => string {
  const { t } = useTranslation();
  const dayText = useDayText();
  const events = useBoard((board) => board.byKind.event);
  return ({ date, event_id }) => {
    const name = event_id === null ? undefined : events.get(event_id)?.name;
    if (date === null)
      return name ? t('admin.claims.everyDay', { name }) : t('admin.claims.everyDayOfGone');
    return dayText(date, 'dayAndYear');
  };
}

export function HeldBadge({ until }: { until: string }): ReactNode {
  const { t } = useTranslation();
  const count = useMinutesLeft(until);
  return (
    <Badge tone="accent">
      {t('admin.waitlist.held')}, {t('time.minutesLeft', { count })}
    </Badge>
  );
}

export function CharacterCell({
  character_name,
  member_type,
}: {
  character_name: string;
  member_type: string;
}): ReactNode {
  return (
    <span className={tab.who}>
      <MemberLink name={character_name} /> <MemberTypeBadge memberType={member_type} />
    </span>
  );
}
