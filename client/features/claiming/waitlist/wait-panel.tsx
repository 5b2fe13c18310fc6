import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { type HourRange, rangesOverlap } from '../../../../shared/rules/hours.ts';
import { lengthOf } from '../../../../shared/rules/stretch.ts';
import { claimableHours } from '../../../../shared/rules/waits.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { type AskedWait, finishAskingToWait, stopAskingToWait } from '../../../state/asked-wait.ts';
import { useBoard } from '../../../state/board-store.ts';
import { SOUND_BUTTON, useSound } from '../../../state/sound.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useRefusalText, useShortDate } from '../claim-words.tsx';
import { claimsOn } from '../day-claims.ts';
import { type Claimant, isNamed } from '../draft/submission-body.ts';
import { useHoursLabel } from '../in-place/chosen-hours.tsx';
import { HoursHandles } from '../in-place/hours-handles.tsx';
import place from '../in-place/place.module.css';
import { startPlacing } from '../in-place/placing.ts';
import { WhoClaims } from '../in-place/who-claims.tsx';
import { HeldText } from './held-text.tsx';
import { useLineOn } from './line-on.ts';
import { useTakenElsewhere } from './taken-elsewhere.tsx';
import { useElsewhere } from './use-elsewhere.ts';
import { type AskedToWait, useWait } from './use-wait.ts';
import { WaitEntries } from './wait-entries.tsx';
import styles from './wait-panel.module.css';

/** Who has the hours, who waits for them already, for how many to wait, and the one button; Enter presses it. */
export function WaitPanel({ asked, first }: { asked: AskedWait; first: Claimant }): ReactNode {
  const { t } = useTranslation();
  const { respawn_id, date } = asked;
  const wait = useWait(asked, first);
  const { claimant, hours, standing, refusal, sending } = wait;
  const [tried, setTried] = useState(false);
  const whyId = useId();
  const line = useLineOn(respawn_id, date, 'seen');
  const isReady = hours !== null && refusal === null;

  const onSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    const made = await wait.submit();
    if (!made) return;
    finishAskingToWait(asked.id);
    const spot = useBoard.getState().byKind.respawn.get(respawn_id)?.name ?? '';
    const range = t('time.range', { start: made.hour_start, end: made.hour_end });
    showToast({ text: t('board.wait.done', { name: made.character_name, spot, hours: range, place: made.position }) });
  };

  return (
    <form noValidate className={place.panel} onSubmit={(event) => void onSubmit(event)}>
      <WaitHours date={date} hours={hours} />
      <Holders respawn_id={respawn_id} date={date} hours={hours ?? asked} />
      {hours ? (
        <HoursHandles
          key={asked.id}
          date={date}
          hours={hours}
          limits={standing.limits}
          taken={standing.facts.taken}
          disabled={sending.status === 'busy'}
          onChange={wait.setHours}
        />
      ) : null}
      <FreeNow asked={asked} wait={wait} />
      {line.length > 0 ? (
        <div>
          <p className={styles.label}>{t('board.wait.line')}</p>
          <WaitEntries line={line} date={date} />
        </div>
      ) : null}
      <div className={styles.asks}>
        <WhoClaims
          claimant={claimant}
          error={tried && !isNamed(claimant) ? t('errors.character.nameRequired') : undefined}
          disabled={sending.status === 'busy'}
          onChange={wait.setClaimant}
        />
        {hours && lengthOf(hours) > 1 ? <LeastHours wait={wait} hours={hours} /> : null}
      </div>
      <div id={whyId} className={place.why}>
        <WhyNot wait={wait} />
      </div>
      <div className={place.actions}>
        <Button
          type="submit"
          variant="primary"
          busy={sending.status === 'busy'}
          aria-disabled={!isReady || undefined}
          aria-describedby={isReady ? undefined : whyId}
          data-claim
        >
          {t('board.wait.submit', { hours: lengthOf(hours ?? asked) })}
        </Button>
      </div>
      <HowItGoes />
    </form>
  );
}

/** "Sat 21 Nov", and "SS+16 to SS+19 · Sun 02:00 to 05:00". */
function WaitHours({ date, hours }: { date: string; hours: HourRange | null }): ReactNode {
  const labelOf = useHoursLabel();
  const shortDate = useShortDate();
  return (
    <p className={place.hours}>
      <span>{shortDate(date)}</span> {hours ? <b>{labelOf(date, hours)}</b> : null}
    </p>
  );
}

/** Who has some of the hours now. */
function Holders({ respawn_id, date, hours }: { respawn_id: number; date: string; hours: HourRange }): ReactNode {
  const { t } = useTranslation();
  const claims = useBoard((board) => board.claimsByRespawn.get(respawn_id));
  const holding = claimsOn(date, claims ?? []).filter((claim) => !claim.is_secondary_claim && rangesOverlap(claim, hours));
  const elsewhere = useElsewhere(respawn_id, date).filter((one) => rangesOverlap(one, hours));
  const takenBy = useTakenElsewhere();
  if (holding.length + elsewhere.length === 0) return null;
  return (
    <ul className={styles.holders} aria-label={t('board.wait.holders')}>
      {holding.map((claim) => (
        <li key={`${claim.id} ${claim.hour_start}`}>
          <HoursText date={date} start={claim.hour_start} end={claim.hour_end} />{' '}
          {claim.is_held ? <HeldText name={claim.character_name} until={claim.held_until} /> : claim.character_name}
        </li>
      ))}
      {elsewhere.map((one) => (
        <li key={`${one.id} ${one.hour_start}`}>
          <HoursText date={date} start={one.hour_start} end={one.hour_end} /> {one.character_name}, {takenBy(one)}
        </li>
      ))}
    </ul>
  );
}

/** Free hours of the range are not offered to members on the waitlist: whoever wants them claims them. */
function FreeNow({ asked, wait }: { asked: AskedWait; wait: AskedToWait }): ReactNode {
  const { t } = useTranslation();
  const { respawn_id, date, anchor } = asked;
  const { claimant, hours, standing, refusal } = wait;
  const free = hours && (!refusal || refusal.code === 'wait.nothingTaken') ? claimableHours({ date, ...hours }, standing.facts) : null;
  if (!free) return null;
  const claim = (): void => {
    stopAskingToWait();
    startPlacing({ respawn_id, date, claimant, range: free, phase: 'asking', anchor });
  };
  return (
    <div className={styles.free}>
      <p>
        {t('board.wait.freeNow')} <HoursText date={date} start={free.hour_start} end={free.hour_end} />
      </p>
      <Button small onClick={claim}>
        {t('board.wait.claimFree')}
      </Button>
    </div>
  );
}

/** How few in a row are worth an offer. */
function LeastHours({ wait, hours }: { wait: AskedToWait; hours: HourRange }): ReactNode {
  const { t } = useTranslation();
  const counts = Array.from({ length: lengthOf(hours) }, (_, i) => i + 1);
  return (
    <div className={styles.least}>
      <span aria-hidden="true">{t('board.wait.least')}</span>
      <Select
        label={t('board.wait.least')}
        wide={false}
        value={String(wait.min_hours)}
        disabled={wait.sending.status === 'busy'}
        options={counts.map((count) => ({ value: String(count), label: t('board.wait.leastHours', { hours: count }) }))}
        onChange={(value) => wait.setMinHours(Number(value))}
      />
    </div>
  );
}

/** Why this character cannot, or what came of the last try. */
function WhyNot({ wait: { sending, refusal } }: { wait: AskedToWait }): ReactNode {
  const refusalText = useRefusalText();
  const errorText = useErrorText();
  if (sending.status === 'refused') return <Alert tone="bad">{errorText(sending.error)}</Alert>;
  return refusal ? <Alert tone="bad">{refusalText(refusal)}</Alert> : null;
}

/** What happens when they come free; and whether it is to be heard. */
function HowItGoes(): ReactNode {
  const { t } = useTranslation();
  const sound = useSound();
  const minutes = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.hold_minutes ?? 0);
  return (
    <div className={styles.how}>
      <p>{t('board.wait.how', { minutes })}</p>
      {sound ? (
        <Button {...SOUND_BUTTON} small variant="quiet" aria-pressed={sound.sound !== 'off'} onClick={sound.press}>
          {t(`board.watch.sound.${sound.sound}`)}
        </Button>
      ) : null}
    </div>
  );
}
