import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ClaimTime, lastDateAhead } from '../../../../shared/rules/claim-time.ts';
import { addDays } from '../../../../shared/rules/server-save.ts';
import { defaultSplitDurations } from '../../../../shared/rules/split.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useRowName } from '../../claiming/claim-words.tsx';
import { nextDay } from '../../claiming/draft/claim-dates.ts';
import { hoursOverOn } from '../../claiming/draft/row-check.ts';
import { primaryDuration, primaryRespawns } from '../../claiming/draft/row-parts.ts';
import styles from './claim-form.module.css';
import { SecondaryDialog } from './secondary-dialog.tsx';
import { SplitDialog } from './split-dialog.tsx';
import type { ClaimForm } from './use-claim-form.ts';

export interface ExtrasPanelProps {
  form: ClaimForm;
  event: ActiveEvent | null;
  voucher: number;
  maySecondary: boolean;
  time: ClaimTime;
}

/** What else can be done with the date in view. */
export function ExtrasPanel({ form, event, voucher, maySecondary, time }: ExtrasPanelProps): ReactNode {
  const { t } = useTranslation();
  const { state, rows, change, sameChoice } = form;
  const [refused, setRefused] = useState<{ date: string; why: string } | null>(null);
  const [open, setOpen] = useState<'split' | 'secondary' | null>(null);
  const reasonId = useId();
  const isWholeEvent = event?.type === 'single_claim';
  const rowName = useRowName();
  const view = rows.find(({ row }) => row.date === state.open_date);
  if (!view) return null;
  const { row, period } = view;
  const { date } = row;
  const isHeld = view.problem?.of === 'character-has-claim';
  const cannotSplit = defaultSplitDurations(voucher) === null;
  const name = rowName(view, isWholeEvent);
  const close = (): void => setOpen(null);

  const refusalText = (refusal: 'beyondEvent' | 'beyondHorizon' | 'alreadyAdded'): string =>
    refusal === 'beyondHorizon'
      ? t('errors.claim.beyondHorizon', { date: addDays(date, 1), last: lastDateAhead(time) })
      : t(`submit.${refusal}`);
  const configureNextDay = (): void => {
    const chosen = state.rows.map((one) => one.date);
    const next = nextDay(date, chosen, event, time);
    if ('refused' in next) {
      setRefused({ date, why: refusalText(next.refused) });
      return;
    }
    setRefused(null);
    change({ type: 'date-added', row: sameChoice(next.date, row) });
  };

  return (
    <Panel>
      <div className={styles.extras}>
        <Button
          disabled={isHeld || (cannotSplit && !row.split)}
          aria-describedby={cannotSplit ? reasonId : undefined}
          onClick={() => setOpen('split')}
        >
          {t(row.split ? 'submit.split.change' : 'submit.split.begin')}
        </Button>
        {maySecondary ? (
          <Button disabled={isHeld} onClick={() => setOpen('secondary')}>
            {t(row.secondary ? 'submit.secondary.change' : 'submit.secondary.begin')}
          </Button>
        ) : null}
        {isWholeEvent ? null : <Button onClick={configureNextDay}>{t('submit.nextDay')}</Button>}
      </div>
      {cannotSplit ? (
        <p id={reasonId} className={styles.hint}>
          {t('errors.split.voucherTooShort')}
        </p>
      ) : null}
      {refused?.date === date ? (
        <p role="alert" className={styles.error}>
          {refused.why}
        </p>
      ) : null}
      {open === 'split' ? (
        <SplitDialog
          row={row}
          period={period}
          name={name}
          event={event}
          time={time}
          voucher={voucher}
          respawn_id={state.respawn_id}
          onApply={(split) => change({ type: 'split-changed', date, split })}
          onClose={close}
        />
      ) : null}
      {open === 'secondary' ? (
        <SecondaryDialog
          current={row.secondary}
          period={period}
          name={name}
          primary={primaryRespawns(row, state.respawn_id)}
          duration={primaryDuration(row, voucher)}
          over={hoursOverOn(row, { event, time })}
          onApply={(secondary) => change({ type: 'secondary-changed', date, secondary })}
          onClose={close}
        />
      ) : null}
    </Panel>
  );
}
