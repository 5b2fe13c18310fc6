import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeZone } from '../../lib/time-zone.ts';
import { formatLocale, localTimeAt } from '../../lib/words/local-time.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveClock } from '../../state/clock.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { MemberTypeColors } from '../../ui/member-type-badge.tsx';

/** What the design system has to know of the board: the viewer's local time, and the member types' colours. */
export function Surroundings({ children }: { children: ReactNode }): ReactNode {
  const { i18n } = useTranslation();
  const clock = useServerSaveClock();
  const here = useTimeZone();
  const types = useBoard((board) => board.byKind.member_type);
  const language = formatLocale(i18n.language);
  const colors = useMemo(() => new Map([...types.values()].map((type) => [type.member_type, type.background_color])), [types]);
  // A new function would render every hour on the board.
  const localTime = useCallback(
    (date: string, hour: number, since?: number) => localTimeAt(date, hour, { clock, language, here }, since),
    [clock, language, here],
  );
  return (
    <LocalTimeContext value={localTime}>
      <MemberTypeColors value={colors}>{children}</MemberTypeColors>
    </LocalTimeContext>
  );
}
