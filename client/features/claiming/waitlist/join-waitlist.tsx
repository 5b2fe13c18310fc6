import { type ReactNode, type SubmitEvent, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { type HourRange, rangesOverlap } from '../../../../shared/rules/hours.ts';
import { lengthOf } from '../../../../shared/rules/stretch.ts';
import { claimableHours } from '../../../../shared/rules/waits.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { type Claimant, isNamed } from '../../../state/claim-draft.ts';
import { useNearDay } from '../../../state/near-day.ts';
import type { WaitlistRequest } from '../../../state/overlays.ts';
import { useSound } from '../../../state/sound.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { Help } from '../../../ui/help.tsx';
import { HourRangeInput } from '../../../ui/hours/hour-range.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { hideTip } from '../../../ui/tooltip.tsx';
import { claimsOn } from '../day-claims.ts';
import { claimantsNow, stepDraft } from '../in-place/choose-hours.ts';
import { useHoursLabel } from '../in-place/chosen-hours.tsx';
import panel from '../in-place/claim-in-place.module.css';
import { boxOf } from '../in-place/hours-box.ts';
import { PanelFrame } from '../in-place/panel-frame.tsx';
import { WhoClaims } from '../in-place/who-claims.tsx';
import { useRefusalText } from '../words.ts';
import { type EntryDraft, useEntryDraft } from './entry-draft.ts';
import styles from './join-waitlist.module.css';
import { useHoursElsewhere, useWaitlist } from './waitlist.ts';
import { HoldText, useElsewhereText, WaitlistEntries } from './waitlist-parts.tsx';

interface JoinWaitlistProps {
  request: WaitlistRequest;
  onClose: () => void;
}

/** The overlay for joining the waitlist of pressed hours. A visitor is led to the login. */
export function JoinWaitlist({ request, onClose }: JoinWaitlistProps): ReactNode {
  const { t } = useTranslation();
  const [first] = claimantsNow();
  const { respawn_id, anchor } = request;
  // The tip of the pressed element would cover the panel.
  useEffect(hideTip, []);
  if (!first) return <ToLogin onClose={onClose} />;
  return (
    <PanelFrame
      respawn_id={respawn_id}
      labelOf={(spot) => t('board.waitlist.title', { spot })}
      // The card may have been drawn again since it was pressed.
      at={() => (anchor.isConnected ? anchor : boxOf(respawn_id))}
      anchor={anchor}
      isTall
      onClose={onClose}
    >
      <JoinPanel request={request} first={first} onClose={onClose} />
    </PanelFrame>
  );
}

function ToLogin({ onClose }: { onClose: () => void }): null {
  const navigate = useNavigate();
  useEffect(() => {
    onClose();
    void navigate('/login?type=access-key');
  }, [navigate, onClose]);
  return null;
}

/** Enter presses its button. */
function JoinPanel({
  request,
  first,
  onClose,
}: JoinWaitlistProps & { first: Claimant }): ReactNode {
  const { t } = useTranslation();
  const { respawn_id, date } = request;
  const draft = useEntryDraft(request, first, (entry) => {
    onClose();
    const spot = useBoard.getState().byKind.respawn.get(respawn_id)?.name ?? '';
    const range = t('time.range', { start: entry.hour_start, end: entry.hour_end });
    showToast({
      text: t('board.waitlist.joined', {
        name: entry.character_name,
        spot,
        hours: range,
        place: entry.position,
      }),
    });
  });
  const { claimant, hours, refusal, isBusy } = draft;
  const [tried, setTried] = useState(false);
  const whyId = useId();
  const labelOf = useHoursLabel();
  const nearDay = useNearDay();
  const waitlist = useWaitlist(respawn_id, date, 'visible');
  const isReady = hours !== null && refusal === null;

  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    draft.submit();
  };

  return (
    <form noValidate className={panel.panel} onSubmit={onSubmit}>
      <p className={panel.hours}>
        <span>{nearDay(date)}</span> {hours ? <b>{labelOf(date, hours)}</b> : null}
      </p>
      <Holders respawn_id={respawn_id} date={date} hours={hours ?? request} />
      {hours ? (
        <HourRangeInput
          date={date}
          hours={hours}
          limits={draft.limits}
          taken={draft.rules.taken}
          disabled={isBusy}
          onChange={(hours) => draft.change({ hours })}
        />
      ) : null}
      <FreeNow request={request} draft={draft} onClose={onClose} />
      {waitlist.length > 0 ? (
        <div>
          <p className="muted small">{t('board.waitlist.entries')}</p>
          <WaitlistEntries waitlist={waitlist} date={date} />
        </div>
      ) : null}
      <WhoClaims
        claimant={claimant}
        error={tried && !isNamed(claimant) ? t('errors.character.nameRequired') : undefined}
        disabled={isBusy}
        onChange={(claimant) => draft.change({ claimant })}
      />
      {isReady && hours && lengthOf(hours) > 1 ? (
        <MinimumHours draft={draft} hours={hours} />
      ) : null}
      <div id={whyId} className={panel.why}>
        <RefusalAlert draft={draft} />
      </div>
      <Cluster align="start" justify="end" className={panel.actions}>
        <Button
          type="submit"
          variant="primary"
          busy={isBusy}
          aria-disabled={!isReady || undefined}
          aria-describedby={isReady ? undefined : whyId}
          data-claim
        >
          {t('board.waitlist.join', { hours: lengthOf(hours ?? request) })}
        </Button>
      </Cluster>
      <WaitlistNote />
    </form>
  );
}

/** The claims that have some of the hours now. */
function Holders({
  respawn_id,
  date,
  hours,
}: {
  respawn_id: number;
  date: string;
  hours: HourRange;
}): ReactNode {
  const { t } = useTranslation();
  const claims = useBoard((board) => board.claimsByRespawn.get(respawn_id));
  const here = claimsOn(date, claims ?? []).filter(
    (claim) => !claim.is_secondary_claim && rangesOverlap(claim, hours),
  );
  const elsewhere = useHoursElsewhere(respawn_id, date).filter((one) => rangesOverlap(one, hours));
  const elsewhereText = useElsewhereText();
  if (here.length + elsewhere.length === 0) return null;
  return (
    <ul className={styles.holders} aria-label={t('board.waitlist.holders')}>
      {here.map((claim) => (
        <li key={`${claim.id} ${claim.hour_start}`}>
          <HoursText date={date} start={claim.hour_start} end={claim.hour_end} />{' '}
          {claim.is_held ? (
            <HoldText name={claim.character_name} until={claim.held_until} />
          ) : (
            claim.character_name
          )}
        </li>
      ))}
      {elsewhere.map((one) => (
        <li key={`${one.id} ${one.hour_start}`}>
          <HoursText date={date} start={one.hour_start} end={one.hour_end} /> {one.character_name},{' '}
          {elsewhereText(one)}
        </li>
      ))}
    </ul>
  );
}

interface FreeNowProps extends JoinWaitlistProps {
  draft: EntryDraft;
}

/** Free hours of the range are never offered to the waitlist, so they can be claimed from here. */
function FreeNow({ request, draft, onClose }: FreeNowProps): ReactNode {
  const { t } = useTranslation();
  const { respawn_id, date, anchor } = request;
  const { claimant, hours, rules, refusal } = draft;
  const free =
    hours && (!refusal || refusal.code === 'wait.nothingTaken')
      ? claimableHours({ date, ...hours }, rules)
      : null;
  if (!free) return null;
  const claim = (): void => {
    onClose();
    stepDraft({ type: 'press', respawn_id, date, claimant, range: free, phase: 'asking', anchor });
  };
  return (
    <Cluster justify="space-between">
      <p>
        {t('board.waitlist.freeNow')}{' '}
        <HoursText date={date} start={free.hour_start} end={free.hour_end} />
      </p>
      <Button small onClick={claim}>
        {t('board.waitlist.claimFree')}
      </Button>
    </Cluster>
  );
}

/** The fewest hours in a row that are worth an offer. */
function MinimumHours({ draft, hours }: { draft: EntryDraft; hours: HourRange }): ReactNode {
  const { t } = useTranslation();
  const counts = Array.from({ length: lengthOf(hours) }, (_, i) => i + 1);
  return (
    <div className={styles.minimum}>
      <span aria-hidden="true">{t('board.waitlist.minimum')}</span>
      <Select
        label={t('board.waitlist.minimum')}
        wide={false}
        value={String(draft.min_hours)}
        disabled={draft.isBusy}
        options={counts.map((count) => ({
          value: String(count),
          label: t('board.waitlist.minimumHours', { hours: count }),
        }))}
        onChange={(value) => draft.change({ min_hours: Number(value) })}
      />
    </div>
  );
}

function RefusalAlert({ draft: { failure, refusal } }: { draft: EntryDraft }): ReactNode {
  const refusalText = useRefusalText();
  const errorText = useErrorText();
  if (failure) return <Alert tone="bad">{errorText(failure)}</Alert>;
  return refusal ? <Alert tone="bad">{refusalText(refusal)}</Alert> : null;
}

/** Explains what happens when the hours are freed, and whether a sound is played then. */
function WaitlistNote(): ReactNode {
  const { t } = useTranslation();
  const sound = useSound();
  const minutes = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.hold_minutes ?? 0);
  return (
    <Stack gap={1} className={styles.how}>
      <p>
        {t('board.waitlist.help', { minutes })}{' '}
        <Help topic={t('myClaims.waitlist.title')} text={t('board.waitlist.about')} />
      </p>
      {sound ? (
        <Checkbox
          label={t('board.waitlist.sound')}
          checked={sound.sound !== 'off'}
          onChange={sound.press}
        />
      ) : null}
    </Stack>
  );
}
