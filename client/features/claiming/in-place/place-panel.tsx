import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { lengthOf } from '../../../../shared/rules/stretch.ts';
import { claimSearch } from '../../../lib/asked-claim.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useClaimPage } from '../../../state/permissions.ts';
import { useChoosing } from '../../../state/presence-store.ts';
import { switchProfile } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChoosingLines } from '../../../ui/hours/choosing-lines.tsx';
import { useRefusalText, useShortDate } from '../claim-words.tsx';
import { isNamed } from '../draft/submission-body.ts';
import { useHoursLabel } from './chosen-hours.tsx';
import { useSayDone } from './done.ts';
import styles from './place.module.css';
import { changePlacing, finishPlacing, type Placing, stopPlacing } from './placing.ts';
import type { PlacedClaim } from './use-placed-claim.ts';
import { WhoClaims } from './who-claims.tsx';

export interface AskingProps {
  placing: Placing;
  claim: PlacedClaim;
  /** What it is about, on the screen. */
  at: () => HTMLElement | null;
}

/** For whom, what stands in the way, and the one button; Enter presses it. */
export function PlacePanel({ placing, claim, children }: Omit<AskingProps, 'at'> & { children?: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const { respawn_id, date, claimant } = placing;
  const { hours, refusal, submission, submit, forget } = claim;
  const sayDone = useSayDone();
  const [tried, setTried] = useState(false);
  const whyId = useId();
  const isUnsure = submission.status === 'unsure';
  const isReady = isUnsure || (hours !== null && refusal === null);

  const onSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    const stored = await submit();
    if (!stored) return;
    finishPlacing(placing.id);
    sayDone(stored, claimant, date);
  };

  return (
    <form noValidate className={styles.panel} onSubmit={(event) => void onSubmit(event)}>
      <HoursLine placing={placing} claim={claim} />
      {children}
      <WhoClaims
        claimant={claimant}
        error={tried && !isNamed(claimant) ? t('errors.character.nameRequired') : undefined}
        disabled={submission.status === 'busy' || isUnsure}
        onChange={(next) => {
          forget();
          changePlacing({ claimant: next });
        }}
      />
      <div id={whyId} className={styles.why}>
        <WhyNot placing={placing} claim={claim} />
      </div>
      <div className={styles.actions}>
        <MoreOptions placing={placing} hours={hours} />
        <Button
          type="submit"
          variant="primary"
          busy={submission.status === 'busy'}
          aria-disabled={!isReady || undefined}
          aria-describedby={isReady ? undefined : whyId}
          data-claim
        >
          {isUnsure || !hours ? t('board.place.again') : t('board.place.claim', { hours: lengthOf(hours) })}
        </Button>
      </div>
      <Choosing respawn_id={respawn_id} date={date} />
    </form>
  );
}

/** "SS+16 to SS+19 · Sun 02:00 to 05:00", and what they stand for: a date, or the days of an event. */
function HoursLine({ placing: { date }, claim: { hours, event } }: Omit<AskingProps, 'at'>): ReactNode {
  const { t } = useTranslation();
  const labelOf = useHoursLabel();
  const shortDate = useShortDate();
  const days =
    event?.type === 'single_claim'
      ? t('submit.event.period', { start: shortDate(eventDate(event.start_time)), end: shortDate(eventDate(event.end_time)) })
      : shortDate(date);
  return (
    <p className={styles.hours}>
      <span>{days}</span> {hours ? <b>{labelOf(date, hours)}</b> : null}
    </p>
  );
}

/** Who has taken some of it meanwhile, why this character cannot, or what came of the last try. */
function WhyNot({ placing: { range }, claim }: Omit<AskingProps, 'at'>): ReactNode {
  const { t } = useTranslation();
  const { hours, lostTo, refusal, submission } = claim;
  const refusalText = useRefusalText();
  const errorText = useErrorText();
  if (submission.status === 'refused' || submission.status === 'unsure') {
    return <Alert tone="bad">{errorText(submission.error)}</Alert>;
  }
  if (refusal) return <Alert tone="bad">{refusalText(refusal)}</Alert>;
  if (!range || submission.status === 'busy') return null;
  const left = hours && t('time.range', { start: hours.hour_start, end: hours.hour_end });
  if (lostTo) {
    const taken = t('time.range', { start: lostTo.hour_start, end: lostTo.hour_end });
    const facts = { name: lostTo.character_name, taken };
    return left ? (
      <Alert tone="accent">{t('board.place.shrunk', { ...facts, left })}</Alert>
    ) : (
      <Alert tone="bad">{t('board.place.gone', facts)}</Alert>
    );
  }
  return left ? null : <Alert tone="bad">{t('board.place.over')}</Alert>;
}

/** They hold nothing: who sends first, has it. */
function Choosing({ respawn_id, date }: { respawn_id: number; date: string }): ReactNode {
  const choosing = useChoosing(respawn_id, date);
  return <ChoosingLines choosing={choosing} date={date} />;
}

/** The form, with all that is chosen here filled in. */
function MoreOptions({ placing, hours }: { placing: Placing; hours: PlacedClaim['hours'] }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const page = useClaimPage();
  const { respawn_id, date, claimant } = placing;
  const onPress = (): void => {
    const { access_key, character_name, member_type } = claimant;
    // The form is the selected character's.
    if (access_key !== null) switchProfile(character_name);
    stopPlacing();
    const asked = claimSearch({ respawn_id, date, ...(hours ? { hour: hours.hour_start, hours: lengthOf(hours) } : {}) });
    void navigate(page + asked, access_key === null ? { state: { asked_claimant: { character_name, member_type } } } : {});
  };
  return <Button onClick={onPress}>{t('board.place.more')}</Button>;
}
