import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FreeAt } from '../../../../shared/rules/free-at.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { CloseIcon } from '../../../ui/icons.tsx';
import styles from './free.module.css';

export interface FreeRowProps {
  asked: FreeAt | null;
  onChange: (asked: FreeAt | null) => void;
  /** The server-save date in view. */
  date: string;
  /** How many of its hours are over: they cannot be asked for. */
  over: number;
  /** The longest claim that the viewer may make, in hours. */
  longest: number;
  /** How many spots have it, where nothing else shows that. */
  count: number | null;
}

const ANY = 'any';
const upTo = (first: number, last: number): number[] => Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);

/** "Free at [SS+16] for [4 h]": what the board shows of the date in view. */
export function FreeRow({ asked, onChange, date, over, longest, count }: FreeRowProps): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const hours = upTo(over, HOURS_IN_DAY - 1);
  // What was asked for and is over meanwhile is still what is asked for.
  if (asked && !hours.includes(asked.hour_start)) hours.unshift(asked.hour_start);
  const hourOptions = hours.map((hour) => ({
    value: String(hour),
    label: t('board.freeAt.hour', { hour, time: localTime(date, hour) }),
    disabled: hour < over,
  }));
  const duration = asked?.duration ?? longest;
  return (
    <fieldset aria-label={t('board.freeAt.label')} className={styles.row}>
      <span aria-hidden="true">{t('board.freeAt.at')}</span>
      <Select
        label={t('board.freeAt.at')}
        wide={false}
        value={asked ? String(asked.hour_start) : ANY}
        options={[{ value: ANY, label: t('board.freeAt.any') }, ...hourOptions]}
        onChange={(value) => onChange(value === ANY ? null : { hour_start: Number(value), duration })}
      />
      {asked ? (
        <>
          <span aria-hidden="true">{t('board.freeAt.for')}</span>
          <Select
            label={t('board.freeAt.for')}
            wide={false}
            value={String(duration)}
            options={upTo(1, longest).map((count) => ({ value: String(count), label: t('board.freeAt.hours', { count }) }))}
            onChange={(value) => onChange({ ...asked, duration: Number(value) })}
          />
          <IconButton label={t('board.freeAt.clear')} icon={<CloseIcon />} onClick={() => onChange(null)} />
        </>
      ) : null}
      {count === null ? null : (
        <span aria-hidden="true" className={styles.count}>
          {t('board.freeAt.fit', { count })}
        </span>
      )}
    </fieldset>
  );
}
