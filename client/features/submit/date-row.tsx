import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ChevronDownIcon, CloseIcon } from '../../ui/icons.tsx';
import styles from './date-row.module.css';
import { DurationChoice } from './duration-choice.tsx';
import type { FormAction } from './form-state.ts';
import { HourGrid } from './hour-grid.tsx';
import { useBlockedText } from './problem-text.ts';
import { RowMessages } from './row-messages.tsx';
import type { RowView } from './use-claim-form.ts';
import { useShortDate } from './use-short-date.ts';

export interface DateRowProps {
  view: RowView;
  voucher: number;
  isOpen: boolean;
  /** There are others: it can be folded away and removed. */
  hasOthers: boolean;
  isWholeEvent: boolean;
  tried: boolean;
  change: (action: FormAction) => void;
  askAgain: () => void;
}

/** One date of the form: its hours and its duration, folded to a line while another date is in view. */
export function DateRow(props: DateRowProps): ReactNode {
  const { view, voucher, isOpen, hasOthers, isWholeEvent, change } = props;
  const { t } = useTranslation();
  const shortDate = useShortDate();
  const id = useId();
  const { date } = view.row;
  const name = isWholeEvent
    ? t('submit.event.period', { start: shortDate(date), end: shortDate(view.dates.at(-1) ?? date) })
    : shortDate(date);
  const isHeld = view.problem?.of === 'character-has-claim';
  return (
    <li className={classes(hasOthers && styles.row)}>
      {hasOthers ? <FoldedLine {...props} name={name} bodyId={id} /> : null}
      {isOpen ? (
        <div id={id} className={styles.body}>
          <RowMessages {...props} />
          <p className={styles.caption}>{t('submit.startHour', { date: name })}</p>
          <fieldset disabled={isHeld} className={styles.controls}>
            <HourGrid
              label={t('submit.startHours', { date: name })}
              date={date}
              hours={view.hours}
              duration={view.duration}
              chosen={view.row.hour_start}
              onChoose={(hour_start) => change({ type: 'hour-chosen', date, hour_start })}
            />
            <p className={styles.caption}>{t('submit.duration')}</p>
            <DurationChoice
              label={t('submit.durationOf', { date: name })}
              duration={view.duration}
              voucher={voucher}
              disabled={isHeld}
              onChoose={(hours) => change({ type: 'duration-chosen', date, custom_duration: hours === voucher ? null : hours })}
            />
          </fieldset>
        </div>
      ) : null}
    </li>
  );
}

function FoldedLine({ view, isOpen, name, bodyId, change }: DateRowProps & { name: string; bodyId: string }): ReactNode {
  const { t } = useTranslation();
  const blockedText = useBlockedText();
  const { row, duration, problem } = view;
  const isWrong = problem !== null && problem.of !== 'hour-missing';
  return (
    <div className={styles.head}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? bodyId : undefined}
        className={styles.unfold}
        onClick={() => change({ type: 'date-opened', date: row.date })}
      >
        <span className={classes(styles.chevron, isOpen && styles.turned)}>
          <ChevronDownIcon />
        </span>
        <span className={styles.date}>{name}</span>
        <span className="tabular">
          {row.hour_start === null ? (
            <span className={styles.quiet}>{t('submit.chooseHour')}</span>
          ) : (
            t('time.range', { start: row.hour_start, end: row.hour_start + duration })
          )}
        </span>
        {isWrong && !isOpen ? <span className={styles.wrong}>{blockedText(problem, row.date)}</span> : null}
      </button>
      <IconButton
        small
        label={t('submit.removeDate', { date: name })}
        icon={<CloseIcon size={14} />}
        onClick={() => change({ type: 'date-removed', date: row.date })}
      />
    </div>
  );
}
