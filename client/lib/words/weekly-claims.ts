import { useTranslation } from 'react-i18next';
import { useDayText } from '../time-text.ts';

/** Monday 1 January 2024 and the days after it. */
const dateOfWeekday = (weekday: number): string => `2024-01-0${weekday}`;

/** The weekdays of a weekly claim in words: "Tue, Thu". */
export function useWeekdaysText(): (
  weekdays: readonly number[],
  style?: 'weekday' | 'shortWeekday',
) => string {
  const dayText = useDayText();
  return (weekdays, style = 'shortWeekday') =>
    weekdays.map((weekday) => dayText(dateOfWeekday(weekday), style)).join(', ');
}

/** Why a date is skipped, without the numbers of the refusal. */
export function useSkipReason(): (code: string) => string {
  const { t, i18n } = useTranslation();
  return (code) => {
    const key = code.replace('.', '_');
    return t(
      i18n.exists(`weeklyClaim.reason.${key}`)
        ? `weeklyClaim.reason.${key}`
        : 'weeklyClaim.reason.other',
      { defaultValue: code },
    );
  };
}
