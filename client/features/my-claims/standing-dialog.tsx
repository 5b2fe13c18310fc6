import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { addDays, HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import type { StandingClaim, StandingOccurrence } from '../../../shared/schemas/standing-claim.ts';
import { refreshQuery, useServerQuery, useServerQueryKeepingLast, useSettled } from '../../api/query.ts';
import { countStandingClaims, deleteStanding, postStanding, previewStanding, putStanding } from '../../api/standing-calls.ts';
import { useDayText } from '../../lib/time-text.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { inNameOrder } from '../../lib/words/order.ts';
import { useSkipReason, useWeekdaysText } from '../../lib/words/standing.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import type { OverlayProps } from '../../state/overlays.ts';
import { useSession } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import chips from '../../ui/fields/date-chips.module.css';
import { DateInput } from '../../ui/fields/date-input.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { useLocalHours } from '../../ui/hours/hours-text.tsx';
import { showToast } from '../../ui/toast.tsx';
import { RespawnPicker } from '../claiming/respawn-picker.tsx';
import styles from './standing-dialog.module.css';

type Draft = Pick<StandingClaim, 'weekdays' | 'hour_start' | 'hour_end' | 'join_waitlist'> & {
  respawn_id: number | null;
  /** Empty: today; no last date. */
  from: string;
  until: string;
};

const FIRST_HOUR = 10;
const PREVIEW_PAUSE_MS = 350;

function draftOf({ rule, claim }: OverlayProps['standing'], voucher: number): Draft {
  if (rule) return { ...rule, until: rule.until ?? '' };
  const { respawn_id = null, weekdays = [], hour_start = FIRST_HOUR, hour_end = hour_start + voucher, from = '' } = claim ?? {};
  return { respawn_id, weekdays, hour_start, hour_end, from, until: '', join_waitlist: 0 };
}

/** Creates or changes a rule. What would happen on the next dates is shown before it is saved. */
export function StandingDialog({ onClose, ...props }: OverlayProps['standing'] & { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { date: today } = useServerSaveTime();
  const profile = useSession(({ profiles }) => profiles.find((one) => nameKey(one.characterName) === nameKey(props.character_name)));
  const type = useBoard((board) => board.byKind.member_type.get(profile?.memberType ?? ''));
  const config = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const voucher = (type ?? config)?.voucher_duration_hours ?? 1;
  const respawns = useBoard((board) => board.byKind.respawn);
  const [first] = useState(() => draftOf(props, voucher));
  const [draft, setDraft] = useState(first);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const set = (change: Partial<Draft>): void => {
    setRefusal(null);
    setDraft((now) => ({ ...now, ...change }));
  };
  if (!profile) return null;
  const { rule } = props;
  const { respawn_id, weekdays, hour_start, hour_end } = draft;
  const isReady = respawn_id !== null && weekdays.length > 0;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(first);
  const request = {
    ...{ respawn_id: respawn_id ?? 0, weekdays, hour_start, hour_end, join_waitlist: draft.join_waitlist },
    ...{ from: draft.from || (rule ? rule.from : today), until: draft.until || null },
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy || !isReady) return;
    setBusy(true);
    setRefusal(null);
    try {
      if (rule) await putStanding(rule.id, request, profile.accessKey);
      else await postStanding(request, profile.accessKey);
      await refreshQuery('standing');
      showToast({ text: t('standing.done.saved', { spot: respawns.get(request.respawn_id)?.name ?? '' }) });
      setBusy(false);
      onClose();
    } catch (error) {
      setBusy(false);
      setRefusal(error);
    }
  };
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={t(rule ? 'standing.form.edit' : 'standing.form.new')}
      {...(rule ? { description: t('standing.form.kept') } : {})}
    >
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <div className={styles.fields}>
          <div>
            <span className={styles.label}>{t('standing.form.spot')}</span>
            <RespawnPicker
              label={t('standing.form.spot')}
              respawns={inNameOrder(respawns.values(), ({ name }) => name)}
              chosen={respawn_id === null ? undefined : respawns.get(respawn_id)}
              onChoose={(id) => set({ respawn_id: id })}
            />
          </div>
          <Weekdays values={weekdays} onChange={(days) => set({ weekdays: days })} />
          <Hours start={hour_start} end={hour_end} voucher={voucher} today={today} onChange={set} />
          <div className={classes(styles.pair, styles.dates)}>
            <Field label={t('standing.form.from')}>
              <DateInput value={request.from} min={today} onChange={(event) => set({ from: event.target.value })} />
            </Field>
            <Field label={t('standing.form.until')}>
              <DateInput value={draft.until} min={request.from} onChange={(event) => set({ until: event.target.value })} />
            </Field>
          </div>
          <Checkbox
            label={t('standing.form.join')}
            checked={draft.join_waitlist === 1}
            onChange={(event) => set({ join_waitlist: event.target.checked ? 1 : 0 })}
          />
        </div>
        <Preview request={isReady ? { ...request, ...(rule ? { id: rule.id } : {}) } : null} access_key={profile.accessKey} />
        {refusal ? (
          <div className={styles.whole}>
            <Alert tone="bad">{errorText(refusal)}</Alert>
          </div>
        ) : null}
        <div className={styles.whole}>
          <DialogActions onCancel={onClose} busy={busy} isChanged={isChanged}>
            <Button type="submit" variant="primary" busy={busy} aria-disabled={!isReady || undefined}>
              {t('standing.form.save')}
            </Button>
          </DialogActions>
        </div>
      </form>
    </Dialog>
  );
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** Any number of weekdays; each is a tab stop. */
function Weekdays({ values, onChange }: { values: readonly number[]; onChange: (values: number[]) => void }): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const text = useWeekdaysText();
  return (
    <div>
      <span id={id} className={styles.label}>
        {t('standing.form.weekdays')}
      </span>
      <fieldset aria-labelledby={id} className={styles.weekdays}>
        {WEEKDAYS.map((weekday) => (
          <label key={weekday} className={classes(chips.chip, styles.weekday)}>
            <input
              type="checkbox"
              aria-label={text([weekday], 'weekday')}
              checked={values.includes(weekday)}
              onChange={() => onChange(WEEKDAYS.filter((one) => (one === weekday) !== values.includes(one)))}
            />
            <span aria-hidden="true" data-text={text([weekday])} />
          </label>
        ))}
      </fieldset>
    </div>
  );
}

interface HoursProps {
  start: number;
  end: number;
  voucher: number;
  today: string;
  onChange: (hours: { hour_start: number; hour_end: number }) => void;
}

function Hours({ start, end, voucher, today, onChange }: HoursProps): ReactNode {
  const { t } = useTranslation();
  const localHours = useLocalHours();
  const option = (hour: number) => ({ value: String(hour), label: t('time.hour', { hour }) });
  const ends = Array.from({ length: Math.min(voucher, HOURS_IN_DAY - start) }, (_, at) => start + at + 1);
  const setStart = (hour: number): void => onChange({ hour_start: hour, hour_end: Math.min(hour + end - start, HOURS_IN_DAY) });
  return (
    <div className={styles.pair}>
      <Field label={t('standing.form.start')} hint={localHours(today, start, end)}>
        <Select
          value={String(start)}
          options={Array.from({ length: HOURS_IN_DAY }, (_, hour) => option(hour))}
          onChange={(value) => setStart(Number(value))}
        />
      </Field>
      <Field label={t('standing.form.end')}>
        <Select
          value={String(end)}
          options={(ends.includes(end) ? ends : [...ends, end]).map(option)}
          onChange={(value) => onChange({ hour_start: start, hour_end: Number(value) })}
        />
      </Field>
    </div>
  );
}

interface PreviewProps {
  /** null: something is missing. */
  request: Parameters<typeof previewStanding>[0] | null;
  access_key: string;
}

/** What would happen on the next dates, by the server. */
function Preview({ request, access_key }: PreviewProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const typedRequest = useSettled(JSON.stringify(request), PREVIEW_PAUSE_MS);
  const { data, error, isFetching } = useServerQueryKeepingLast<StandingOccurrence[]>({
    queryKey: ['standing preview', typedRequest],
    queryFn: ({ signal }) => (typedRequest === 'null' ? [] : previewStanding(JSON.parse(typedRequest), access_key, signal)),
    gcTime: 0,
    meta: { hasOwnKey: true },
  });
  return (
    <section className={styles.preview} aria-busy={isFetching}>
      <h3>{t('standing.form.preview')}</h3>
      {request === null ? (
        <p className={styles.hint}>{t('standing.form.choose')}</p>
      ) : error ? (
        <Alert tone="bad">{errorText(error)}</Alert>
      ) : data === undefined || (data.length === 0 && isFetching) ? (
        <p className={styles.hint} role="status">
          {t('standing.form.loading')}
        </p>
      ) : (
        <ul>
          {data.map((occurrence) => (
            <Occurrence key={occurrence.date} {...occurrence} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Occurrence({ date, outcome, refusal }: StandingOccurrence): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const reasonOf = useSkipReason();
  const ahead = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.standing_days_ahead ?? 0);
  const reason = reasonOf(refusal?.code ?? '');
  const text =
    outcome === 'later' ? t('standing.outcome.later', { on: addDays(date, -ahead) }) : t(`standing.outcome.${outcome}`, { reason });
  return (
    <li className={classes(outcome === 'skipped' && styles.skipped, outcome === 'waitlist' && styles.waits)}>
      <b>{dayText(date)}</b> <span>{text}</span>
    </li>
  );
}

/** Asks whether the claims that a rule made for later stay when it ends. */
export function EndStandingDialog({ rule, access_key, onClose }: OverlayProps['endStanding'] & { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const weekdaysText = useWeekdaysText();
  const [claims, setClaims] = useState<'keep' | 'release'>('keep');
  const spot = useBoard((board) => board.byKind.respawn.get(rule.respawn_id)?.name) ?? '';
  // The board shows only claims of the active event, and the rule may have made others before.
  const { data } = useServerQuery({
    queryKey: ['standing claims', rule.id],
    queryFn: ({ signal }) => countStandingClaims(rule.id, access_key, signal),
    gcTime: 0,
    meta: { hasOwnKey: access_key !== null },
  });
  const count = data?.count ?? 0;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('standing.ending.title', { spot })}
      text={
        <div className={styles.ending}>
          <p>{t('standing.ending.text', { weekdays: weekdaysText(rule.weekdays) })}</p>
          {count > 0 ? (
            <Segmented
              wide
              label={t('standing.ending.claims')}
              value={claims}
              onChange={setClaims}
              options={[
                { value: 'keep', label: t('standing.ending.keep', { count }) },
                { value: 'release', label: t('standing.ending.release', { count }) },
              ]}
            />
          ) : null}
        </div>
      }
      confirmLabel={t('standing.ending.confirm')}
      onConfirm={async () => {
        await deleteStanding(rule.id, claims, access_key);
        await refreshQuery('standing');
        showToast({ text: t('standing.done.ended', { spot }) });
      }}
      errorText={(error) => t('standing.failed', { reason: errorText(error) })}
    />
  );
}
