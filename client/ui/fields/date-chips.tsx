import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useDayText } from '../../lib/time-text.ts';
import { classes } from '../classes.ts';
import styles from './date-chips.module.css';

interface CommonProps {
  label: string;
  /** Server-save dates, YYYY-MM-DD. */
  dates: readonly string[];
  today?: string | undefined;
  disabled?: ((date: string) => boolean) | undefined;
  /** A short note about a date, which is marked and has it as its tooltip. */
  markOf?: ((date: string) => string | null) | undefined;
  /** Several rows instead of one that scrolls. */
  wrap?: boolean | undefined;
  /** Weekday and day in one line on narrow screens. */
  low?: boolean | undefined;
}
interface SingleProps extends CommonProps {
  value: string;
  onChange: (date: string) => void;
}
interface MultipleProps extends CommonProps {
  values: readonly string[];
  /** Receives all chosen dates in the order of `dates`. */
  onChange: (dates: string[]) => void;
}

/** Chooses one date; arrow keys move. */
export function DateChips({ value, onChange, ...common }: SingleProps): ReactNode {
  return <Chips {...common} type="radio" isChosen={(date) => date === value} choose={onChange} />;
}

/** Chooses any number of dates; each is a tab stop. */
export function MultiDateChips({ values, onChange, ...common }: MultipleProps): ReactNode {
  const toggle = (date: string): void =>
    onChange(
      common.dates.filter((one) => (one === date ? !values.includes(one) : values.includes(one))),
    );
  return (
    <Chips {...common} type="checkbox" isChosen={(date) => values.includes(date)} choose={toggle} />
  );
}

interface ChipsProps extends CommonProps {
  type: 'radio' | 'checkbox';
  isChosen: (date: string) => boolean;
  choose: (date: string) => void;
}

function Chips({
  label,
  dates,
  today,
  disabled,
  markOf,
  wrap,
  low,
  type,
  isChosen,
  choose,
}: ChipsProps): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const name = useId();
  const row = useRef<HTMLDivElement>(null);
  const chosen = type === 'radio' ? dates.find(isChosen) : undefined;
  // Scrolls the chosen date of a long event into view.
  useEffect(() => {
    void chosen;
    // In the next frame, to not force another layout.
    const frame = requestAnimationFrame(() => {
      const box = row.current;
      const chip = box?.querySelector('input:checked')?.parentElement;
      if (box && chip)
        box.scrollLeft =
          chip.offsetLeft - box.offsetLeft - (box.clientWidth - chip.offsetWidth) / 2;
    });
    return () => cancelAnimationFrame(frame);
  }, [chosen]);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a label
    <div
      ref={row}
      role={type === 'radio' ? 'radiogroup' : 'group'}
      aria-label={label}
      className={classes(styles.row, wrap && styles.wrap, low && styles.low)}
    >
      {dates.map((date) => {
        const words = dayText(date, 'long');
        const mark = markOf?.(date) ?? null;
        const about = [
          words,
          ...(date === today ? [t('time.today')] : []),
          ...(mark ? [mark] : []),
        ].join(', ');
        return (
          <label
            key={date}
            data-choice=""
            title={mark ?? undefined}
            className={classes(styles.chip, date === today && styles.today, mark && styles.marked)}
          >
            <input
              type={type}
              className="covering"
              name={name}
              aria-label={about}
              checked={isChosen(date)}
              disabled={disabled?.(date) ?? false}
              onChange={() => choose(date)}
            />
            <span className={styles.weekday}>
              {date === today ? t('time.today') : dayText(date, 'shortWeekday')}
            </span>
            <span className={styles.day}>{dayText(date, 'number')}</span>
          </label>
        );
      })}
    </div>
  );
}
