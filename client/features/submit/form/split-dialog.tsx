import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimTime } from '../../../../shared/rules/claim-time.ts';
import { DEFAULT_SPLIT_STARTS, defaultSplitDurations } from '../../../../shared/rules/split.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useRefusalText } from '../../claiming/claim-words.tsx';
import type { Period } from '../../claiming/draft/claim-dates.ts';
import type { ClaimFormRow, SplitParts } from '../../claiming/draft/row.ts';
import { hoursOverOn, lastDay } from '../../claiming/draft/row-check.ts';
import { type SplitDraft, splitProblems } from '../../claiming/draft/split-check.ts';
import { useAvailability } from '../../claiming/draft/use-availability.ts';
import styles from './split-dialog.module.css';
import { SplitPartFields } from './split-part-fields.tsx';

export interface SplitDialogProps {
  row: ClaimFormRow;
  /** One date, or all of a single_claim event; `name` says which. */
  period: Period;
  name: string;
  event: ActiveEvent | null;
  time: ClaimTime;
  voucher: number;
  /** The chosen spot, which the first part begins with. */
  respawn_id: number | null;
  onApply: (split: SplitParts) => void;
  onClose: () => void;
}

type Draft = readonly [SplitDraft, SplitDraft];

/** The two parts of a claim, with everything that speaks against them as it stands this moment. */
export function SplitDialog({ row, period, name, event, time, voucher, respawn_id, onApply, onClose }: SplitDialogProps): ReactNode {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  const [draft, setDraft] = useState<Draft>(() => row.split ?? defaultParts(voucher, respawn_id));
  const respawns = useBoard((board) => board.byKind.respawn);
  const availability = useAvailability(draft.flatMap(({ respawn_id }) => (respawn_id === null ? [] : [{ respawn_id, period }])));
  const takenAt = (id: number | null) => availability.takenIn(id, period);
  const problems = splitProblems(draft, {
    voucher,
    isWholeEvent: event?.type === 'single_claim',
    date: lastDay(row, { event }),
    time,
    takenAt,
    respawns,
  });
  const between = problems.filter((problem) => problem.part_number === null);
  const complete = placed(draft);

  const change = (changed: SplitDraft): void => {
    const put = (part: SplitDraft): SplitDraft => (part.part_number === changed.part_number ? changed : part);
    setDraft([put(draft[0]), put(draft[1])]);
  };

  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('submit.split.title', { date: name })}
      description={t('submit.split.text', { hours: voucher })}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            variant="primary"
            disabled={!complete || problems.length > 0}
            onClick={() => {
              if (!complete || problems.length > 0) return;
              onApply(complete);
              onClose();
            }}
          >
            {t('submit.split.apply')}
          </Button>
        </>
      }
    >
      <div className={styles.parts}>
        {draft.map((part) => (
          <SplitPartFields
            key={part.part_number}
            part={part}
            date={period.first}
            voucher={voucher}
            isWholeEvent={event?.type === 'single_claim'}
            taken={takenAt(part.respawn_id)}
            over={hoursOverOn(row, { event, time })}
            problem={problems.find((problem) => problem.part_number === part.part_number) ?? null}
            hasFailed={availability.hasFailed(part.respawn_id, period)}
            onAskAgain={availability.askAgain}
            onChange={change}
          />
        ))}
      </div>
      {draft
        .filter((part) => part.respawn_id === null)
        .map(({ part_number }) => (
          <p key={part_number} className={styles.missing}>
            {t('submit.split.partAt', { part: part_number, respawn: t('errors.claim.selectRespawn') })}
          </p>
        ))}
      {between.map(({ refusal }) => (
        <Alert key={refusal.code} tone="bad">
          {refusalText(refusal)}
        </Alert>
      ))}
    </Dialog>
  );
}

/** R5.1: from SS+10 and SS+14, half the voucher each. */
function defaultParts(voucher: number, respawn_id: number | null): Draft {
  const [first, second] = defaultSplitDurations(voucher) ?? [1, 1];
  const [firstStart, secondStart] = DEFAULT_SPLIT_STARTS;
  return [
    { part_number: 1, respawn_id, hour_start: firstStart, duration: first },
    { part_number: 2, respawn_id: null, hour_start: secondStart, duration: second },
  ];
}

/** The parts when each has its respawn, else null. */
function placed([first, second]: Draft): SplitParts | null {
  if (first.respawn_id === null || second.respawn_id === null) return null;
  return [
    { ...first, respawn_id: first.respawn_id },
    { ...second, respawn_id: second.respawn_id },
  ];
}
