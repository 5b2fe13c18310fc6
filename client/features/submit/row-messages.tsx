import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  offersInstead,
  type StartHour,
  type StartOffer,
} from '../../../shared/rules/start-hours.ts';
import { useDayText } from '../../lib/time-text.ts';
import { boardAddress, shownSpot } from '../../state/board-place.ts';
import { useBoard } from '../../state/board-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { HoursText } from '../../ui/hours/hours-text.tsx';
import { Cluster, Stack } from '../../ui/layout.tsx';
import { Link } from '../../ui/link.tsx';
import type { HeldClaim, RowProblem } from '../claiming/draft/check.ts';
import styles from './date-row.module.css';
import type { FormAction } from './form-state.ts';
import { HourStatus } from './hour-grid.tsx';
import type { RowView } from './use-claim-form.ts';
import { ChoiceHours, heldFor, TakenText, useProblemText, useRowName } from './words.tsx';

interface RowStatusProps {
  view: RowView;
  name: string;
  tried: boolean;
  /** A start hour that was visited though it cannot be chosen. */
  blockedHour: number | null;
  onTake: (offer: StartOffer) => void;
}

/** The line between the dates and the hours. Its height is fixed, so that the hours never move. Beside a blocked start are starts that fit. */
export function RowStatus({ view, name, tried, blockedHour, onTake }: RowStatusProps): ReactNode {
  const { t } = useTranslation();
  const chosen = view.row.hour_start;
  const inQuestion = blockedHour ?? (view.problem ? chosen : null);
  const hour = inQuestion === null ? undefined : view.hours[inQuestion];
  const isChosen = (offer: StartOffer): boolean =>
    offer.hour_start === chosen && offer.duration === view.duration;
  const offers = hour
    ? offersInstead(hour.hour, view.duration, view.hours).filter((offer) => !isChosen(offer))
    : [];
  const why = useBlockedReason(view, hour);
  const isMissing = tried && view.problem?.kind === 'hour-missing' && why === null;
  return (
    <HourStatus
      offers={offers}
      isWrong={why !== null || isMissing}
      isMistake={isMissing}
      onTake={onTake}
    >
      {why ?? t(isMissing ? 'submit.hourRequired' : 'submit.startHour', { date: name })}
    </HourStatus>
  );
}

interface HeldWarningProps {
  problem: RowProblem & { kind: 'character-has-claim' };
  isWholeEvent: boolean;
  /** The server-save date now. */
  today: string;
}

/** In place of the status: the warning about the character's claims on the date, each with a link to it on the board. */
export function HeldWarning({ problem, isWholeEvent, today }: HeldWarningProps): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const problemText = useProblemText();
  const respawns = useBoard((board) => board.byKind.respawn);
  const datesOf = ({ first_date, last_date }: HeldClaim): string =>
    first_date === last_date
      ? dayText(first_date)
      : t('time.clockRange', { start: dayText(first_date), end: dayText(last_date) });
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
                {isWholeEvent
                  ? t('submit.heldClaimOn', { ...words, date: datesOf(claim) })
                  : t('submit.heldClaim', words)}
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
function useBlockedReason(
  { problem, claimsFailed }: RowView,
  hour: StartHour | undefined,
): string | null {
  const { t } = useTranslation();
  if (hour && hour.state !== 'free') {
    const ss = t('time.hour', { hour: hour.hour });
    if (problem?.kind === 'conflict' && hour.state === 'taken') {
      const { character_name, hour_start, hour_end } = problem.taken;
      return t('submit.heldBy', {
        name: character_name,
        hours: t('time.range', { start: hour_start, end: hour_end }),
      });
    }
    return t('submit.cell.blockedName', {
      hour: ss,
      reason: t(`submit.reason.${hour.state}`, { hours: hour.max_duration }),
    });
  }
  return claimsFailed ? t('submit.hoursUnknown') : null;
}

interface RowMessagesProps {
  view: RowView;
  isWholeEvent: boolean;
  /** Asks the server again who has which hours. */
  retry: () => void;
}

/** An event that is over closes the whole form, which says so above it. */
const isSaidAbove = ({ refusal }: RowProblem & { kind: 'refused' }): boolean =>
  refusal.code === 'claim.eventOver';

/** The longer messages about a date, below its hours so that those do not move. */
export function RowMessages({ view, isWholeEvent, retry }: RowMessagesProps): ReactNode {
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
      {view.isPast ? (
        <Alert>{t('submit.admin.dateOver', { date: rowName(view, isWholeEvent) })}</Alert>
      ) : null}
      {view.claimsFailed ? (
        <Alert
          title={t(isWholeEvent ? 'submit.eventClaimsFailed' : 'load.claims')}
          action={tryAgain}
        >
          {t(isOffline ? 'submit.claimsUnknown' : 'submit.claimsFailedText')}
        </Alert>
      ) : null}
      {view.checkFailed ? <Alert title={t('submit.checkFailed')} action={tryAgain} /> : null}
      {problem?.kind === 'conflict' || (problem?.kind === 'refused' && !isSaidAbove(problem)) ? (
        <Alert tone="bad" title={problemText(problem)}>
          {problem.kind === 'conflict' ? (
            <TakenText taken={problem.taken} isWholeEvent={isWholeEvent} />
          ) : null}
        </Alert>
      ) : null}
    </>
  );
}

/** The split and the secondary claim of a date, each with a button that cancels it. */
export function RowExtras({
  view,
  change,
}: {
  view: RowView;
  change: (action: FormAction) => void;
}): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const { row, parts, secondary } = view;
  const { date } = row;
  const nameOf = (respawn_id: number | null): string =>
    (respawn_id === null ? undefined : respawns.get(respawn_id)?.name) ?? '—';
  return (
    <>
      {row.split ? (
        <Cluster rowGap={2} gap={3} className={styles.extra}>
          <Stack as="ul" gap={2} className={styles.lines} aria-label={t('submit.split.name')}>
            {parts.map((part) => (
              <li key={part.part_number} className={styles.line}>
                <span className={styles.word}>
                  {t('submit.split.part', { part: part.part_number })}
                </span>
                <span className={styles.spot}>{nameOf(part.respawn_id)}</span>
                <ChoiceHours date={view.period.first} hours={part} />
              </li>
            ))}
          </Stack>
          <Button
            small
            data-cancel
            onClick={() => change({ type: 'split-changed', date, split: null })}
          >
            {t('submit.split.cancel')}
          </Button>
        </Cluster>
      ) : null}
      {secondary ? (
        <Cluster rowGap={2} gap={3} className={styles.extra}>
          <Stack as="ul" gap={2} className={styles.lines} aria-label={t('submit.secondary.name')}>
            <li className={styles.line}>
              <span className={classes(styles.word, styles.heading)}>
                {t('submit.secondary.name')}{' '}
                <Badge tone="accent">{t('board.priority', { priority: secondary.priority })}</Badge>
              </span>
              <span className={styles.spot}>{nameOf(secondary.respawn_id)}</span>
              <HoursText
                date={view.period.first}
                start={secondary.hour_start}
                end={secondary.hour_end}
              />
            </li>
          </Stack>
          <Button
            small
            data-cancel
            onClick={() => change({ type: 'secondary-changed', date, secondary: null })}
          >
            {t('submit.secondary.cancel')}
          </Button>
        </Cluster>
      ) : null}
    </>
  );
}
