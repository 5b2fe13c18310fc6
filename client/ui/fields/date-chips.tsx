import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useDayText } from '../../lib/time-text.ts';
import { classes } from '../classes.ts';
import styles from './date-chips.module.css';

interface CommonProps {
  label: string;
  /** Server-save dates, YYYY-MM-DD. */
  dates: readonly string[];
  /** Marked with a word. */
  today?: string | undefined;
  /** Cannot be chosen. */
  disabled?: ((date: string) => boolean) | undefined;
  /** What there is to know of a date before it is chosen, in a few words: it is marked. */
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
  /** All that are chosen then, in the order of `dates`. */
  onChange: (dates: string[]) => void;
}

/** One day of a row: arrow keys move. */
export function DateChips({ value, onChange, ...common }: SingleProps): ReactNode {
  return <Chips {...common} type="radio" isChosen={(date) => date === value} choose={onChange} />;
}

/** Any days of a row: each its own tab stop. */
export function MultiDateChips({ values, onChange, ...common }: MultipleProps): ReactNode {
  const toggle = (date: string): void =>
    onChange(common.dates.filter((one) => (one === date ? !values.includes(one) : values.includes(one))));
  return <Chips {...common} type="checkbox" isChosen={(date) => values.includes(date)} choose={toggle} />;
}

interface ChipsProps extends CommonProps {
  type: 'radio' | 'checkbox';
  isChosen: (date: string) => boolean;
  choose: (date: string) => void;
}

function Chips({ label, dates, today, disabled, markOf, wrap, low, type, isChosen, choose }: ChipsProps): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const name = useId();
  const row = useRef<HTMLDivElement>(null);
  const chosen = type === 'radio' ? dates.find(isChosen) : undefined;
  // A long event's row stands where its chosen day can be seen.
  useEffect(() => {
    void chosen;
    // Beside the page's own layout, which this would ask for once more.
    const frame = requestAnimationFrame(() => {
      const box = row.current;
      const chip = box?.querySelector('input:checked')?.parentElement;
      if (box && chip) box.scrollLeft = chip.offsetLeft - box.offsetLeft - (box.clientWidth - chip.offsetWidth) / 2;
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
        const about = [words, ...(date === today ? [t('time.today')] : []), ...(mark ? [mark] : [])].join(', ');
        return (
          <label
            key={date}
            title={mark ?? undefined}
            className={classes(styles.chip, date === today && styles.today, mark && styles.marked)}
          >
            <input
              type={type}
              name={name}
              aria-label={about}
              checked={isChosen(date)}
              disabled={disabled?.(date) ?? false}
              onChange={() => choose(date)}
            />
            <span className={styles.weekday}>{date === today ? t('time.today') : dayText(date, 'shortWeekday').replace('.', '')}</span>
            <span className={styles.day}>{dayText(date, 'number')}</span>
          </label>
        );
      })}
    </div>
  );
}
