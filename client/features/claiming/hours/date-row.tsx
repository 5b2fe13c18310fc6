import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StartOffer } from '../../../../shared/rules/start-hours.ts';
import { useChoosing } from '../../../state/presence-store.ts';
import { Badge } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { ChoosingLines } from '../../../ui/hours/choosing-lines.tsx';
import { ChevronDownIcon, CloseIcon } from '../../../ui/icons.tsx';
import { useBlockedText, useRowName } from '../claim-words.tsx';
import type { RowView } from '../draft/row-view.ts';
import styles from './date-row.module.css';
import type { DateRowProps } from './date-row-props.ts';
import { DurationChoice } from './duration-choice.tsx';
import { HourGrid } from './hour-grid.tsx';
import { RowExtras } from './row-extras.tsx';
import { RowMessages } from './row-messages.tsx';
import { RowStatus } from './row-status.tsx';

/** One date of the form: its hours and its duration, folded to a line while another date is in view. */
export function DateRow(props: DateRowProps): ReactNode {
  const { view, respawn_id, voucher, isOpen, hasOthers, isWholeEvent, change } = props;
  const { t } = useTranslation();
  const id = useId();
  const name = useRowName()(view, isWholeEvent);
  const item = useFocusAfterCancel(view);
  const { row } = view;
  const { date } = row;
  const day = view.period.first;
  const choosing = useChoosing(respawn_id, day);
  const isHeld = view.problem?.of === 'character-has-claim';
  const [asked, setAsked] = useState<number | null>(null);
  const customDuration = (hours: number): number | null => (hours === voucher ? null : hours);
  const take = ({ hour_start, duration }: StartOffer): void => {
    setAsked(null);
    change({ type: 'duration-chosen', date, custom_duration: customDuration(duration) });
    change({ type: 'hour-chosen', date, hour_start });
    // The button that was pressed is gone.
    item.current?.querySelector<HTMLElement>(`[data-hour="${hour_start}"]`)?.focus();
  };
  return (
    <li ref={item} data-row className={classes(hasOthers && styles.row)}>
      {hasOthers ? <FoldedLine {...props} name={name} bodyId={id} /> : null}
      {isOpen ? (
        <div id={id} className={styles.body}>
          {row.split ? null : (
            <>
              <RowStatus view={view} name={name} asked={asked} onTake={take} />
              <fieldset disabled={isHeld} className={styles.controls}>
                <HourGrid
                  label={t('submit.startHours', { date: name })}
                  date={day}
                  hours={view.hours}
                  duration={view.duration}
                  chosen={row.hour_start}
                  choosing={choosing}
                  isUnknown={view.claimsFailed}
                  onAsk={setAsked}
                  onChoose={(hour_start) => change({ type: 'hour-chosen', date, hour_start })}
                />
                <p className={styles.caption}>{t('submit.duration')}</p>
                <DurationChoice
                  label={t('submit.durationOf', { date: name })}
                  duration={view.duration}
                  voucher={voucher}
                  disabled={isHeld}
                  onChoose={(hours) => change({ type: 'duration-chosen', date, custom_duration: customDuration(hours) })}
                />
              </fieldset>
              {choosing.length > 0 ? (
                <div className={styles.choosing}>
                  <ChoosingLines choosing={choosing} date={day} />
                  <p>{t('submit.stillFree')}</p>
                </div>
              ) : null}
            </>
          )}
          <RowMessages {...props} />
          <RowExtras view={view} change={change} />
        </div>
      ) : null}
    </li>
  );
}

/** The button that cancels a split or a secondary claim goes with it: the focus moves on to what the row shows then. */
function useFocusAfterCancel({ row }: RowView): RefObject<HTMLLIElement | null> {
  const item = useRef<HTMLLIElement>(null);
  const extras = Number(row.split !== null) + Number(row.secondary !== null);
  const before = useRef(extras);
  useEffect(() => {
    const wasCancelled = extras < before.current;
    before.current = extras;
    if (wasCancelled) item.current?.querySelector<HTMLElement>('[data-hour][tabindex="0"], [data-cancel]')?.focus();
  }, [extras]);
  return item;
}

function FoldedLine({ view, isOpen, name, bodyId, change }: DateRowProps & { name: string; bodyId: string }): ReactNode {
  const { t } = useTranslation();
  const blockedText = useBlockedText();
  const { row, parts, waiting, problem } = view;
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
          {parts.length === 0 ? (
            <span className={styles.quiet}>{t('submit.chooseHour')}</span>
          ) : (
            parts.map((part) => t('time.range', { start: part.hour_start, end: part.hour_end })).join(', ')
          )}
        </span>
        {waiting ? <Badge tone="accent">{t('submit.day.priority', { priority: waiting.priority })}</Badge> : null}
        {isWrong && !isOpen ? <span className={styles.wrong}>{blockedText(problem)}</span> : null}
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
