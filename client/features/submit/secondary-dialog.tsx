import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rangesOverlap } from '../../../shared/rules/hours.ts';
import {
  assertSecondaryFits,
  SECONDARY_PRIORITY,
  type SecondaryPlace,
  secondaryEnd,
} from '../../../shared/rules/secondary.ts';
import { waitingHours } from '../../../shared/rules/start-hours.ts';
import { refusalOf } from '../../lib/refusal.ts';
import { useBoard } from '../../state/board-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { HoursText } from '../../ui/hours/hours-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { useAvailability } from '../claiming/draft/availability.ts';
import type { Taken } from '../claiming/draft/check.ts';
import type { Period } from '../claiming/draft/draft.ts';
import { RespawnPicker } from '../claiming/respawn-picker.tsx';
import { useRefusalText } from '../claiming/words.ts';
import { HourGrid } from './hour-grid.tsx';

interface SecondaryDialogProps {
  current: SecondaryPlace | null;
  /** One date, or all of a single_claim event; `name` says which. */
  period: Period;
  name: string;
  /** The spots and the length of the primary claim. */
  primary: readonly { respawn_id: number | null }[];
  duration: number;
  /** The primary claim's start, where a new one begins, too. */
  hour: number | null;
  /** How many hours of the date are over. */
  over: number;
  onApply: (place: SecondaryPlace) => void;
  onClose: () => void;
}

/** A secondary claim: it may be on taken hours, and occupies none itself. */
export function SecondaryDialog({
  current,
  period,
  name,
  primary,
  duration,
  hour,
  over,
  onApply,
  onClose,
}: SecondaryDialogProps): ReactNode {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  const [respawn_id, setRespawn] = useState(current?.respawn_id ?? null);
  const [hour_start, setHour] = useState(current?.hour_start ?? hour);
  const [tried, setTried] = useState(false);
  const respawns = useBoard((board) => board.byKind.respawn);
  const availability = useAvailability(respawn_id === null ? [] : [{ respawn_id, period }]);
  const taken = availability.takenIn(respawn_id, period);
  const id = useId();
  const place = { respawn_id, hour_start };
  const refusal = refusalOf(() => assertSecondaryFits(place, primary));
  const isOfRespawn = refusal !== null && refusal.code !== 'secondary.hourOutOfRange';
  const words =
    refusal &&
    (isOfRespawn || hour_start !== null ? refusalText(refusal) : t('submit.hourRequired'));
  const errorText = tried || refusal?.code === 'secondary.samePrimary' ? words : null;
  const error = errorText ? (
    <p id={id} role="alert" className="bad fine medium">
      {errorText}
    </p>
  ) : null;

  const apply = (): void => {
    setTried(true);
    if (refusal || respawn_id === null || hour_start === null) return;
    onApply({ respawn_id, hour_start });
    onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('submit.secondary.title', { date: name })}
      description={t('submit.secondary.text', { hours: duration, priority: SECONDARY_PRIORITY })}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button variant={refusal ? 'plain' : 'primary'} onClick={apply}>
            {t('submit.secondary.apply')}
          </Button>
        </>
      }
    >
      <Stack>
        <RespawnPicker
          label={t('submit.secondary.respawn')}
          respawns={[...respawns.values()].filter((respawn) =>
            primary.every((part) => part.respawn_id !== respawn.id),
          )}
          chosen={respawn_id === null ? undefined : respawns.get(respawn_id)}
          on={{ period, name, over }}
          onChoose={setRespawn}
          errorId={errorText && isOfRespawn ? id : undefined}
        />
        {isOfRespawn ? error : null}
        <HourGrid
          narrow
          mayBeTaken
          label={t('submit.startHours', { date: t('submit.secondary.name') })}
          date={period.first}
          hours={waitingHours(taken, over)}
          taken={taken}
          duration={duration}
          chosen={hour_start}
          onChoose={setHour}
        />
        {isOfRespawn ? null : error}
        {hour_start === null ? null : (
          <TakenHours date={period.first} start={hour_start} duration={duration} taken={taken} />
        )}
      </Stack>
    </Dialog>
  );
}

interface TakenHoursProps {
  date: string;
  start: number;
  duration: number;
  taken: readonly Taken[];
}

function TakenHours({ date, start, duration, taken }: TakenHoursProps): ReactNode {
  const { t } = useTranslation();
  const end = secondaryEnd(start, duration);
  const inTheWay = taken.filter((range) =>
    rangesOverlap(range, { hour_start: start, hour_end: end }),
  );
  const names = [...new Set(inTheWay.map((range) => range.character_name))].join(', ');
  return (
    <Alert title={<HoursText date={date} start={start} end={end} />}>
      {names ? t('submit.secondary.taken', { names }) : t('submit.secondary.free')}
    </Alert>
  );
}
