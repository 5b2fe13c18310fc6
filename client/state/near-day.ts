import { useTranslation } from 'react-i18next';
import { addDays } from '../../shared/rules/server-save.ts';
import { type DayStyle, useDayText } from '../lib/time-text.ts';
import { useServerSaveTime } from './clock.ts';

/** A server-save date as a line begins with it: "Today", "Tomorrow", or "Sun 22 Nov". */
export function useNearDay(): (date: string, style?: DayStyle) => string {
  const { t } = useTranslation();
  const dayText = useDayText();
  const { date: today } = useServerSaveTime();
  const near = new Map([
    [today, t('time.today')],
    [addDays(today, 1), t('time.tomorrow')],
  ]);
  return (date, style) => near.get(date) ?? dayText(date, style);
}
