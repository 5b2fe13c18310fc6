import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StartOffer } from '../../../shared/rules/start-hours.ts';
import { useChoosing } from '../../state/presence-store.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ChoosingLines } from '../../ui/hours/choosing-lines.tsx';
import { ChevronDownIcon, CloseIcon } from '../../ui/icons.tsx';
import { Stack } from '../../ui/layout.tsx';
import styles from './date-row.module.css';
import type { FormAction } from './form-state.ts';
import { DurationChoice, HourGrid } from './hour-grid.tsx';
import { HeldWarning, RowExtras, RowMessages, RowStatus } from './row-messages.tsx';
import type { RowView } from './use-claim-form.ts';
import { useBlockedText, useChoiceText, useRowName } from './words.tsx';

interface DateRowProps {
  view: RowView;
  respawn_id: number | null;
  voucher: number;
  isOpen: boolean;
  /** It can be folded away and removed. */
  hasOthers: boolean;
  isWholeEvent: boolean;
  tried: boolean;
  character_name: string;
  /** The server-save date now. */
  today: string;
  change: (action: FormAction) => void;
  /** The open date's hours, which are free here, too; null: not offered. */
  sameHours: StartOffer | null;
  /** Asks the server again who has which hours. */
  retry: () => void;
}

/** One date of the form: its hours and its duration, folded to a line while another date is open. */
export function DateRow(props: DateRowProps): ReactNode {
  const { view, respawn_id, voucher, isOpen, hasOthers, isWholeEvent, change, tried } = props;
  const { t } = useTranslation();
  const id = useId();
  const name = useRowName()(view, isWholeEvent);
  const item = useFocusAfterCancel(view);
  const { row } = view;
  const { date } = row;
  const day = view.period.first;
  const choosing = useChoosing(respawn_id, day);
  const isHeld = view.problem?.kind === 'character-has-claim';
  const [blockedHour, setBlockedHour] = useState<number | null>(null);
  const customDuration = (hours: number): number | null => (hours === voucher ? null : hours);
  const take = ({ hour_start, duration }: StartOffer): void => {
    setBlockedHour(null);
    change({ type: 'hours-chosen', date, hour_start, custom_duration: customDuration(duration) });
    // The pressed button disappears.
    item.current?.querySelector<HTMLElement>(`[data-hour="${hour_start}"]`)?.focus();
  };
  return (
    <li ref={item} data-row className={classes(hasOthers && styles.row)}>
      {hasOthers ? <FoldedLine {...props} name={name} bodyId={id} /> : null}
      {isOpen ? (
        <Stack id={id} gap={2} className={styles.body}>
          {row.split ? null : (
            <>
              {view.problem?.kind === 'character-has-claim' ? (
                <HeldWarning {...props} problem={view.problem} />
              ) : (
                <RowStatus
                  view={view}
                  name={name}
                  tried={tried}
                  blockedHour={blockedHour}
                  onTake={take}
                />
              )}
              <fieldset role="none" disabled={isHeld} className={styles.controls}>
                <HourGrid
                  label={t('submit.startHours', { date: name })}
                  date={day}
                  hours={view.hours}
                  taken={view.taken}
                  claimant={props.character_name}
                  duration={view.duration}
                  chosen={row.hour_start}
                  choosing={choosing}
                  isUnknown={view.claimsFailed}
                  onBlocked={setBlockedHour}
                  onChoose={(hour_start) => change({ type: 'hours-chosen', date, hour_start })}
                />
                <p className={styles.caption}>{t('submit.duration')}</p>
                <DurationChoice
                  label={t('submit.durationOf', { date: name })}
                  duration={view.duration}
                  voucher={voucher}
                  disabled={isHeld}
                  onChoose={(hours) =>
                    change({ type: 'hours-chosen', date, custom_duration: customDuration(hours) })
                  }
                />
              </fieldset>
              {choosing.length > 0 ? (
                <div className="faint small">
                  <ChoosingLines choosing={choosing} date={day} />
                  <p>{t('submit.stillFree')}</p>
                </div>
              ) : null}
            </>
          )}
          <RowMessages {...props} />
          <RowExtras view={view} change={change} />
        </Stack>
      ) : null}
    </li>
  );
}

/** The button that cancels a split or a secondary claim disappears with it: the focus moves to the hours, or the other button. */
function useFocusAfterCancel({ row }: RowView): RefObject<HTMLLIElement | null> {
  const item = useRef<HTMLLIElement>(null);
  const extras = Number(row.split !== null) + Number(row.secondary !== null);
  const before = useRef(extras);
  useEffect(() => {
    const wasCancelled = extras < before.current;
    before.current = extras;
    if (wasCancelled)
      item.current?.querySelector<HTMLElement>('[data-hour][tabindex="0"], [data-cancel]')?.focus();
  }, [extras]);
  return item;
}

function FoldedLine({
  view,
  voucher,
  isOpen,
  name,
  bodyId,
  character_name,
  sameHours,
  change,
}: DateRowProps & { name: string; bodyId: string }): ReactNode {
  const { t } = useTranslation();
  const blockedText = useBlockedText();
  const choiceText = useChoiceText();
  const { row, parts, secondary, problem } = view;
  const wrong =
    problem === null || problem.kind === 'hour-missing' || isOpen
      ? null
      : blockedText(problem, character_name);
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
          {problem?.kind === 'character-has-claim' ? null : parts.length === 0 ? (
            <span className="muted">{t('submit.chooseHour')}</span>
          ) : (
            parts.map(choiceText).join(', ')
          )}
        </span>
        {secondary ? (
          <Badge tone="accent">{t('board.priority', { priority: secondary.priority })}</Badge>
        ) : null}
        {wrong ? <span className="bad fine medium">{wrong}</span> : null}
      </button>
      {sameHours ? (
        <Button
          small
          className={styles.same}
          aria-label={t('submit.takeOfferOn', {
            hour: sameHours.hour_start,
            hours: sameHours.duration,
            date: name,
          })}
          onClick={() => {
            const custom_duration = sameHours.duration === voucher ? null : sameHours.duration;
            change({
              type: 'hours-chosen',
              date: row.date,
              hour_start: sameHours.hour_start,
              custom_duration,
            });
          }}
        >
          {t('submit.offer', { hour: sameHours.hour_start, hours: sameHours.duration })}
        </Button>
      ) : null}
      <IconButton
        small
        label={t('submit.removeDate', { date: name })}
        icon={<CloseIcon size={14} />}
        onClick={() => change({ type: 'date-removed', date: row.date })}
      />
    </div>
  );
}
