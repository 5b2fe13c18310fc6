import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { boardAddress } from '../../../lib/board-place.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMinutesLeft } from '../../../state/minutes-left.ts';
import { useSession } from '../../../state/session-store.ts';
import { showSpot } from '../../../state/shown-spot.ts';
import { SOUND_BUTTON, useSound } from '../../../state/sound.ts';
import { claimTimeNow } from '../../../state/use-claim-time.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { useLocalHours } from '../../../ui/hours/hours-text.tsx';
import { CloseIcon } from '../../../ui/icons.tsx';
import { type HoldAnswer, TakeOrLetGo } from '../../../ui/take-or-let-go.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOwnHeight } from '../../../ui/use-own-height.ts';
import { useShortDate } from '../../claiming/claim-words.tsx';
import styles from './offers.module.css';
import { type StandingOffer, useDeeds } from './use-deeds.ts';
import type { Offer } from './use-offers.ts';

/** At the bottom of every page, over whatever is there, and without moving it: what is held, until when, and the two answers. */
export function OfferBanner({ offers }: { offers: readonly Offer[] }): ReactNode {
  const { t } = useTranslation();
  const { shown, answer, dismiss } = useDeeds(offers);
  const sayDone = useSayDone();
  const banner = useOwnHeight<HTMLElement>(shown.length > 0, '--offer');
  const isHeld = offers.length > 0;
  const onAnswer = async (offer: Offer, deed: HoldAnswer): Promise<void> => {
    if (!(await answer(offer, deed))) return;
    // Its button goes; the focus must not be lost with it.
    document.querySelector('main')?.focus({ preventScroll: true });
    sayDone(offer, deed);
  };
  return (
    <>
      <Announced offers={offers} />
      {shown.length > 0 ? (
        <section ref={banner} aria-label={t('offer.title')} className={styles.banner} data-held={isHeld || undefined}>
          {shown.map((one) => (
            <OfferLine key={one.offer.wait.id} {...one} onAnswer={onAnswer} onDismiss={dismiss} />
          ))}
        </section>
      ) : null}
    </>
  );
}

/** What there is to read, once: the minutes run on without being read out. Always there: what is read out is a change of it. */
function Announced({ offers }: { offers: readonly Offer[] }): ReactNode {
  const { t } = useTranslation();
  const spots = useBoard((board) => board.byKind.respawn);
  const nameOf = ({ wait }: Offer): string => spots.get(wait.respawn_id)?.name ?? '';
  return (
    <p role="alert" className="visually-hidden">
      {offers.map((offer) => t('offer.announced', { spot: nameOf(offer), start: offer.hour_start, end: offer.hour_end })).join(' ')}
    </p>
  );
}

interface OfferLineProps extends StandingOffer {
  onAnswer: (offer: Offer, deed: HoldAnswer) => Promise<void>;
  onDismiss: (offer: Offer) => void;
}

function OfferLine({ offer, standing, isGone, onAnswer, onDismiss }: OfferLineProps): ReactNode {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  const localHours = useLocalHours();
  const errorText = useErrorText();
  const { wait, profile, hour_start: start, hour_end: end } = offer;
  const spot = useBoard((board) => board.byKind.respawn.get(wait.respawn_id)?.name ?? '');
  const isOffline = useBoard((board) => board.connection === 'offline');
  const several = useSession((session) => session.profiles.length > 1);
  const busy = standing.status === 'busy' ? standing.deed : null;
  const hours = t('time.range', { start, end });
  return (
    <div className={styles.offer}>
      <div className={styles.text}>
        <p className={styles.what}>
          {isGone ? null : (
            <span className={styles.held}>{several ? t('offer.heldFor', { name: profile.characterName }) : t('offer.held')}</span>
          )}{' '}
          <b>{spot}</b> <span className={styles.hours}>{hours}</span>
        </p>
        <p className={styles.when}>
          {shortDate(wait.date)} · <span className={styles.hours}>{localHours(wait.date, start, end)}</span>
          {isGone ? null : (
            <>
              {' · '}
              <Minutes until={wait.held_until} />
            </>
          )}
        </p>
        {standing.status === 'failed' ? (
          <p role="alert" className={styles.bad}>
            {errorText(standing.error)}
          </p>
        ) : null}
        {standing.status === 'over' ? <p className={styles.bad}>{t('offer.over')}</p> : null}
      </div>
      {isGone && busy === null ? (
        <IconButton label={t('common.dismiss')} icon={<CloseIcon />} onClick={() => onDismiss(offer)} />
      ) : (
        <div className={styles.actions}>
          <TakeOrLetGo what={{ spot, hours }} busy={busy} isOffline={isOffline} onAnswer={(deed) => void onAnswer(offer, deed)} />
          <SoundSwitchButton />
        </div>
      )}
    </div>
  );
}

/** The one thing here that renders each minute. */
function Minutes({ until }: { until: string }): ReactNode {
  const { t } = useTranslation();
  const count = useMinutesLeft(until);
  return <b className={styles.minutes}>{t('time.minutesLeft', { count })}</b>;
}

function SoundSwitchButton(): ReactNode {
  const { t } = useTranslation();
  const sound = useSound();
  if (!sound || sound.sound === 'on') return null;
  return (
    <Button {...SOUND_BUTTON} variant="quiet" onClick={sound.press}>
      {t(`board.watch.sound.${sound.sound}`)}
    </Button>
  );
}

function useSayDone(): (offer: Offer, deed: HoldAnswer) => void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return ({ wait, profile, hour_start: start, hour_end: end }, deed) => {
    const spot = useBoard.getState().byKind.respawn.get(wait.respawn_id)?.name ?? '';
    const facts = { name: profile.characterName, spot, hours: t('time.range', { start, end }) };
    if (deed === 'letGo') {
      showToast({ tone: 'plain', text: t('offer.wentOn', facts) });
      return;
    }
    const onPress = (): void => {
      void navigate(boardAddress(wait.date, claimTimeNow(false).today));
      showSpot({ respawn_id: wait.respawn_id, date: wait.date });
    };
    showToast({ text: t('board.place.done', facts), action: { label: t('board.place.show'), onPress } });
  };
}
