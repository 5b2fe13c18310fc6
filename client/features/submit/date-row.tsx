import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { offersInstead, type StartHour, type StartOffer } from '../../../shared/rules/start-hours.ts';
import { useDayText } from '../../lib/time-text.ts';
import { boardAddress, shownSpot } from '../../state/board-place.ts';
import { useBoard } from '../../state/board-store.ts';
import { useChoosing } from '../../state/presence-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ChoosingLines } from '../../ui/hours/choosing-lines.tsx';
import { HoursText } from '../../ui/hours/hours-text.tsx';
import { ChevronDownIcon, CloseIcon } from '../../ui/icons.tsx';
import type { HeldClaim, RowProblem } from '../claiming/draft/check.ts';
import styles from './date-row.module.css';
import type { FormAction } from './form-state.ts';
import { DurationChoice, HourGrid, HourStatus } from './hour-grid.tsx';
import type { RowView } from './use-claim-form.ts';
import { heldFor, TakenText, useBlockedText, useProblemText, useRowName } from './words.tsx';

interface DateRowProps {
  view: RowView;
  /** The chosen spot. */
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
  const isHeld = view.problem?.of === 'character-has-claim';
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
        <div id={id} className={styles.body}>
          {row.split ? null : (
            <>
              {view.problem?.of === 'character-has-claim' ? (
                <HeldWarning {...props} problem={view.problem} />
              ) : (
                <RowStatus view={view} name={name} tried={tried} blockedHour={blockedHour} onTake={take} />
              )}
              <fieldset disabled={isHeld} className={styles.controls}>
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
                  onChoose={(hours) => change({ type: 'hours-chosen', date, custom_duration: customDuration(hours) })}
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

/** The button that cancels a split or a secondary claim disappears with it: the focus moves to the hours, or the other button. */
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
  const { row, parts, secondary, problem } = view;
  const wrong = problem === null || problem.of === 'hour-missing' || isOpen ? null : blockedText(problem, character_name);
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
          {problem?.of === 'character-has-claim' ? null : parts.length === 0 ? (
            <span className={styles.quiet}>{t('submit.chooseHour')}</span>
          ) : (
            parts.map((part) => t('time.range', { start: part.hour_start, end: part.hour_end })).join(', ')
          )}
        </span>
        {secondary ? <Badge tone="accent">{t('submit.day.priority', { priority: secondary.priority })}</Badge> : null}
        {wrong ? <span className={styles.wrong}>{wrong}</span> : null}
      </button>
      {sameHours ? (
        <Button
          small
          className={styles.same}
          aria-label={t('submit.takeOfferOn', { hour: sameHours.hour_start, hours: sameHours.duration, date: name })}
          onClick={() => {
            const custom_duration = sameHours.duration === voucher ? null : sameHours.duration;
            change({ type: 'hours-chosen', date: row.date, hour_start: sameHours.hour_start, custom_duration });
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

interface RowStatusProps {
  view: RowView;
  name: string;
  tried: boolean;
  /** A start hour that was visited though it cannot be chosen. */
  blockedHour: number | null;
  onTake: (offer: StartOffer) => void;
}

/** The line between the dates and the hours. Its height is fixed, so that the hours never move. Beside a blocked start are starts that fit. */
function RowStatus({ view, name, tried, blockedHour, onTake }: RowStatusProps): ReactNode {
  const { t } = useTranslation();
  const chosen = view.row.hour_start;
  const inQuestion = blockedHour ?? (view.problem ? chosen : null);
  const hour = inQuestion === null ? undefined : view.hours[inQuestion];
  const isChosen = (offer: StartOffer): boolean => offer.hour_start === chosen && offer.duration === view.duration;
  const offers = hour ? offersInstead(hour.hour, view.duration, view.hours).filter((offer) => !isChosen(offer)) : [];
  const why = useBlockedReason(view, hour);
  const isMissing = tried && view.problem?.of === 'hour-missing' && why === null;
  return (
    <HourStatus offers={offers} isWrong={why !== null || isMissing} isMistake={isMissing} onTake={onTake}>
      {why ?? t(isMissing ? 'submit.hourRequired' : 'submit.startHour', { date: name })}
    </HourStatus>
  );
}

type HeldWarningProps = DateRowProps & { problem: RowProblem & { of: 'character-has-claim' } };

/** In place of the status: the warning about the character's claims on the date, each with a link to it on the board. */
function HeldWarning({ problem, isWholeEvent, today }: HeldWarningProps): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const problemText = useProblemText();
  const respawns = useBoard((board) => board.byKind.respawn);
  const datesOf = ({ first_date, last_date }: HeldClaim): string =>
    first_date === last_date ? dayText(first_date) : t('submit.event.period', { start: dayText(first_date), end: dayText(last_date) });
  return (
    <div role="alert" className={styles.held}>
      <p>{problemText(problem)}</p>
      <ul>
        {problem.held.map((claim) => {
          const hours = t('time.range', { start: claim.hour_start, end: claim.hour_end });
          const words = { respawn: claim.respawn_name, hours };
          // The server names the spot only.
          const spot = [...respawns.values()].find(({ name }) => name === claim.respawn_name);
          return (
            <li key={`${claim.first_date} ${claim.hour_start}`} className="tabular">
              <Link to={boardAddress(claim.first_date, today)} state={spot && shownSpot(spot.id)}>
                {isWholeEvent ? t('submit.heldClaimOn', { ...words, date: datesOf(claim) }) : t('submit.heldClaim', words)}
              </Link>
            </li>
          );
        })}
      </ul>
      {heldFor(problem) ? <p className={styles.heldFor}>{t('submit.heldForText')}</p> : null}
    </div>
  );
}

/** Why the hour cannot be chosen, in a few words; null: it can. */
function useBlockedReason({ problem, claimsFailed }: RowView, hour: StartHour | undefined): string | null {
  const { t } = useTranslation();
  if (hour && hour.state !== 'free') {
    const ss = t('time.hour', { hour: hour.hour });
    if (problem?.of === 'conflict' && hour.state === 'taken') {
      const { character_name, hour_start, hour_end } = problem.taken;
      return t('submit.heldBy', { name: character_name, hours: t('time.range', { start: hour_start, end: hour_end }) });
    }
    return t('submit.cell.blockedName', { hour: ss, reason: t(`submit.reason.${hour.state}`, { hours: hour.max_duration }) });
  }
  return claimsFailed ? t('submit.hoursUnknown') : null;
}

/** The longer messages about a date, below its hours so that those do not move. */
function RowMessages({ view, isWholeEvent, retry }: DateRowProps): ReactNode {
  const { t } = useTranslation();
  const problemText = useProblemText();
  const rowName = useRowName();
  const isOffline = useBoard((board) => board.connection === 'offline');
  const { problem } = view;
  const tryAgain = (
    <Button small onClick={retry}>
      {t('common.tryAgain')}
    </Button>
  );
  return (
    <>
      {view.isPast ? <Alert>{t('submit.admin.dateOver', { date: rowName(view, isWholeEvent) })}</Alert> : null}
      {view.claimsFailed ? (
        <Alert title={t(isWholeEvent ? 'submit.eventClaimsFailed' : 'submit.claimsFailed')} action={tryAgain}>
          {t(isOffline ? 'submit.claimsUnknown' : 'submit.claimsFailedText')}
        </Alert>
      ) : null}
      {view.checkFailed ? <Alert title={t('submit.checkFailed')} action={tryAgain} /> : null}
      {problem?.of === 'conflict' || problem?.of === 'refused' ? (
        <Alert tone="bad" title={problemText(problem)}>
          {problem.of === 'conflict' ? <TakenText taken={problem.taken} isWholeEvent={isWholeEvent} /> : null}
        </Alert>
      ) : null}
    </>
  );
}

/** The split and the secondary claim of a date, each with a button that cancels it. */
function RowExtras({ view, change }: { view: RowView; change: (action: FormAction) => void }): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const { row, parts, secondary } = view;
  const { date } = row;
  const nameOf = (respawn_id: number | null): string => (respawn_id === null ? undefined : respawns.get(respawn_id)?.name) ?? '—';
  return (
    <>
      {row.split ? (
        <div className={styles.extra}>
          <ul className={styles.lines} aria-label={t('submit.split.name')}>
            {parts.map((part) => (
              <li key={part.part_number} className={styles.line}>
                <span className={styles.word}>{t('submit.split.part', { part: part.part_number })}</span>
                <span className={styles.spot}>{nameOf(part.respawn_id)}</span>
                <HoursText date={view.period.first} start={part.hour_start} end={part.hour_end} />
              </li>
            ))}
          </ul>
          <Button small data-cancel onClick={() => change({ type: 'split-changed', date, split: null })}>
            {t('submit.split.cancel')}
          </Button>
        </div>
      ) : null}
      {secondary ? (
        <div className={styles.extra}>
          <ul className={styles.lines} aria-label={t('submit.secondary.name')}>
            <li className={styles.line}>
              <span className={classes(styles.word, styles.heading)}>
                {t('submit.secondary.name')} <Badge tone="accent">{t('submit.day.priority', { priority: secondary.priority })}</Badge>
              </span>
              <span className={styles.spot}>{nameOf(secondary.respawn_id)}</span>
              <HoursText date={view.period.first} start={secondary.hour_start} end={secondary.hour_end} />
            </li>
          </ul>
          <Button small data-cancel onClick={() => change({ type: 'secondary-changed', date, secondary: null })}>
            {t('submit.secondary.cancel')}
          </Button>
        </div>
      ) : null}
    </>
  );
}
