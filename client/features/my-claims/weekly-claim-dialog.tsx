import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { addDays, HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import {
  type StandingChange,
  type StandingClaim,
  type StandingInput,
  type StandingOccurrence,
  standingInput,
} from '../../../shared/schemas/standing-claim.ts';
import {
  refreshQuery,
  useServerQuery,
  useServerQueryKeepingLast,
  useSettled,
} from '../../api/query.ts';
import { ApiError } from '../../api/request.ts';
import {
  countStandingClaims,
  deleteStanding,
  postStanding,
  previewStanding,
  putStanding,
} from '../../api/standing-calls.ts';
import { useDayText } from '../../lib/time-text.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { inNameOrder } from '../../lib/words/order.ts';
import { useSkipReason, useWeekdaysText } from '../../lib/words/weekly-claims.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import type { OverlayProps } from '../../state/overlays.ts';
import type { Profile } from '../../state/saved-sessions.ts';
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
import type { EditConflict } from '../../ui/form/edit-conflict.ts';
import { type FormFields, inputOf } from '../../ui/form/fields.ts';
import { RecordField } from '../../ui/form/record-field.tsx';
import { useRecordForm } from '../../ui/form/record-form.ts';
import { Cluster, Stack } from '../../ui/layout.tsx';
import { showToast } from '../../ui/toast.tsx';
import { RespawnPicker } from '../claiming/respawn-picker.tsx';
import { ownWeeklyClaims, useWeeklyLocalHours } from './own-weekly-claims.ts';
import styles from './weekly-claim-dialog.module.css';

type Draft = Pick<StandingClaim, 'weekdays' | 'hour_start' | 'hour_end' | 'join_waitlist'> & {
  respawn_id: number | null;
  /** Empty: today; no last date. */
  from: string;
  until: string;
};

const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'standing.changedMeanwhile';

const FIRST_HOUR = 10;
const PREVIEW_PAUSE_MS = 350;

function newDraft(claim: OverlayProps['weeklyClaim']['claim'], voucher: number): Draft {
  const first = Math.min(FIRST_HOUR, HOURS_IN_DAY - voucher);
  const {
    respawn_id = null,
    weekdays = [],
    hour_start = first,
    hour_end = hour_start + voucher,
    from = '',
  } = claim ?? {};
  return { respawn_id, weekdays, hour_start, hour_end, from, until: '', join_waitlist: 0 };
}

/** @param firstDate from which it goes on, where no date is chosen */
function useWeeklyClaimFields(firstDate: string): FormFields<StandingClaim, Draft> {
  const { t } = useTranslation();
  return {
    respawn_id: { label: t('submit.respawn'), from: ({ respawn_id }) => respawn_id },
    weekdays: { label: t('weeklyClaim.form.weekdays'), from: ({ weekdays }) => weekdays },
    hour_start: { label: t('board.quickClaim.start'), from: ({ hour_start }) => hour_start },
    hour_end: { label: t('board.quickClaim.end'), from: ({ hour_end }) => hour_end },
    from: {
      label: t('weeklyClaim.form.from'),
      from: ({ from }) => from,
      send: (date) => date || firstDate,
    },
    until: {
      label: t('weeklyClaim.form.until'),
      from: ({ until }) => until ?? '',
      send: (date) => date || null,
    },
    join_waitlist: {
      label: t('weeklyClaim.form.join'),
      from: ({ join_waitlist }) => join_waitlist,
    },
  };
}

/** The fields as they were read: the server refuses the change if one has changed since. */
const seenOf = ({
  respawn_id,
  weekdays,
  hour_start,
  hour_end,
  from,
  until,
  join_waitlist,
}: StandingClaim): StandingChange['seen'] => ({
  respawn_id,
  weekdays,
  hour_start,
  hour_end,
  from,
  until,
  join_waitlist,
});

/** The weekly claim as it is now, also one of a character that the live connection says nothing of; undefined: it has ended. */
function useLiveWeeklyClaim(
  weeklyClaim: StandingClaim | undefined,
  profile: Profile | undefined,
): StandingClaim | undefined {
  const { data } = useServerQuery({
    ...ownWeeklyClaims(profile),
    enabled: weeklyClaim !== undefined && profile !== undefined,
  });
  return data ? data.find(({ id }) => id === weeklyClaim?.id) : weeklyClaim;
}

/** Creates or changes a weekly claim. What would happen on the next dates is shown before it is saved. */
export function WeeklyClaimDialog({
  onClose,
  ...props
}: OverlayProps['weeklyClaim'] & { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const profile = useSession(({ profiles }) =>
    profiles.find((one) => nameKey(one.characterName) === nameKey(props.character_name)),
  );
  const type = useBoard((board) => board.byKind.member_type.get(profile?.memberType ?? ''));
  const config = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const voucher = (type ?? config)?.voucher_duration_hours ?? 1;
  const respawns = useBoard((board) => board.byKind.respawn);
  const { weeklyClaim } = props;
  const live = useLiveWeeklyClaim(weeklyClaim, profile);
  const localHours = useWeeklyLocalHours();
  const key = profile?.accessKey ?? '';
  const firstDate = weeklyClaim?.from ?? today;
  const fields = useWeeklyClaimFields(firstDate);
  const form = useRecordForm<StandingClaim, Draft, StandingInput>({
    fields,
    schema: standingInput,
    checksAtSave: true,
    record: weeklyClaim ?? null,
    live: () => live,
    fresh: newDraft(props.claim, voucher),
    create: (input) => postStanding(input, key),
    update: (stored, _change, { input }) =>
      putStanding(stored.id, { ...input, seen: seenOf(stored) }, key),
    done: async (_stored, { input }) => {
      await refreshQuery('weekly claims');
      showToast({
        text: t('weeklyClaim.done.saved', { spot: respawns.get(input.respawn_id)?.name ?? '' }),
      });
      onClose();
    },
    refusalOf: async (_reason, error) => {
      if (!isChangedMeanwhile(error)) return {};
      // The other version appears above the button.
      await refreshQuery('weekly claims');
      return null;
    },
  });
  if (!profile) return null;
  const { typed, conflict, busy } = form;
  const { setValue } = form.form;
  const { respawn_id, weekdays, hour_start, hour_end, until } = typed;
  const from = typed.from || firstDate;
  const isReady = respawn_id !== null && weekdays.length > 0 && conflict.outcome !== 'deleted';
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={t(weeklyClaim ? 'weeklyClaim.form.edit' : 'weeklyClaim.form.new')}
      {...(weeklyClaim ? { description: t('weeklyClaim.form.kept') } : {})}
    >
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => (isReady ? form.submit(event) : event.preventDefault())}
      >
        <Stack gap={4} className={styles.fields}>
          <div>
            <span className={styles.label}>{fields.respawn_id.label}</span>
            <RespawnPicker
              label={fields.respawn_id.label}
              respawns={inNameOrder(respawns.values(), ({ name }) => name)}
              chosen={respawn_id === null ? undefined : respawns.get(respawn_id)}
              onChoose={(id) => setValue('respawn_id', id)}
            />
          </div>
          <Weekdays values={weekdays} onChange={(days) => setValue('weekdays', days)} />
          <Hours
            start={hour_start}
            end={hour_end}
            voucher={voucher}
            local={localHours(
              { weekdays, hour_start, hour_end, from, until: until || null },
              today,
            )}
            onChange={(hours) => {
              setValue('hour_start', hours.hour_start);
              setValue('hour_end', hours.hour_end);
            }}
          />
          <div className={classes(styles.pair, styles.dates)}>
            <RecordField form={form} name="from">
              {(field) => <DateInput {...field} value={from} min={today} />}
            </RecordField>
            <RecordField form={form} name="until">
              {(field) => <DateInput {...field} min={from} />}
            </RecordField>
          </div>
          <Checkbox
            label={fields.join_waitlist.label}
            checked={typed.join_waitlist === 1}
            onChange={(event) => setValue('join_waitlist', event.target.checked ? 1 : 0)}
          />
        </Stack>
        <Preview
          request={isReady ? { ...inputOf(fields, typed), id: weeklyClaim?.id } : null}
          access_key={profile.accessKey}
          weekdays={weekdays}
          until={until}
        />
        {conflict.theirs || conflict.outcome === 'refreshed' || conflict.outcome === 'deleted' ? (
          <div ref={form.notice} tabIndex={-1} className={styles.whole}>
            <ChangedElsewhere edit={conflict} />
          </div>
        ) : null}
        {form.error ? (
          <div className={styles.whole}>
            <Alert tone="bad">{form.error}</Alert>
          </div>
        ) : null}
        <div className={styles.whole}>
          <DialogActions onCancel={onClose} busy={busy} isChanged={form.isChanged}>
            <Button
              type="submit"
              variant="primary"
              busy={busy}
              aria-disabled={!isReady || undefined}
            >
              {t('weeklyClaim.form.save')}
            </Button>
          </DialogActions>
        </div>
      </form>
    </Dialog>
  );
}

/** The version that was saved on another device, with a choice between it and the typed one. */
function ChangedElsewhere({
  edit: { theirs, outcome, loadTheirs, keepMine },
}: {
  edit: EditConflict<StandingClaim, Draft>;
}): ReactNode {
  const { t } = useTranslation();
  const weekdaysText = useWeekdaysText();
  const spot = useBoard((board) => board.byKind.respawn.get(theirs?.respawn_id ?? 0)?.name) ?? '';
  if (outcome === 'deleted') return <Alert tone="bad">{t('errors.standing.notFound')}</Alert>;
  if (!theirs) return <Alert tone="accent">{t('weeklyClaim.form.refreshed')}</Alert>;
  const hours = t('time.range', { start: theirs.hour_start, end: theirs.hour_end });
  const parts = [spot, t('weeklyClaim.hours', { weekdays: weekdaysText(theirs.weekdays), hours })];
  if (theirs.until) parts.push(t('weeklyClaim.until', { date: theirs.until }));
  return (
    <Alert tone="accent" title={t('weeklyClaim.form.changed')}>
      <p>{t('weeklyClaim.form.theirs', { list: parts.join(', ') })}</p>
      <Cluster>
        <Button small onClick={loadTheirs}>
          {t('weeklyClaim.form.useTheirs')}
        </Button>
        <Button small onClick={keepMine}>
          {t('weeklyClaim.form.keepMine')}
        </Button>
      </Cluster>
    </Alert>
  );
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** Any number of weekdays; each is a tab stop. */
function Weekdays({
  values,
  onChange,
}: {
  values: readonly number[];
  onChange: (values: number[]) => void;
}): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const text = useWeekdaysText();
  return (
    <div>
      <span id={id} className={styles.label}>
        {t('weeklyClaim.form.weekdays')}
      </span>
      <fieldset aria-labelledby={id} className={styles.weekdays}>
        {WEEKDAYS.map((weekday) => (
          <label key={weekday} data-choice="" className={classes(chips.chip, styles.weekday)}>
            <input
              type="checkbox"
              aria-label={text([weekday], 'weekday')}
              checked={values.includes(weekday)}
              onChange={() =>
                onChange(WEEKDAYS.filter((one) => (one === weekday) !== values.includes(one)))
              }
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
  /** When the hours are for the viewer. */
  local: string;
  onChange: (hours: { hour_start: number; hour_end: number }) => void;
}

function Hours({ start, end, voucher, local, onChange }: HoursProps): ReactNode {
  const { t } = useTranslation();
  const option = (hour: number) => ({ value: String(hour), label: t('time.hour', { hour }) });
  const ends = Array.from(
    { length: Math.min(voucher, HOURS_IN_DAY - start) },
    (_, at) => start + at + 1,
  );
  const setStart = (hour: number): void =>
    onChange({ hour_start: hour, hour_end: Math.min(hour + end - start, HOURS_IN_DAY) });
  return (
    <div className={styles.pair}>
      <Field label={t('board.quickClaim.start')} hint={local}>
        <Select
          value={String(start)}
          options={Array.from({ length: HOURS_IN_DAY }, (_, hour) => option(hour))}
          onChange={(value) => setStart(Number(value))}
        />
      </Field>
      <Field label={t('board.quickClaim.end')}>
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
  request: object | null;
  access_key: string;
  weekdays: readonly number[];
  /** Empty: no last date. */
  until: string;
}

/** At least this many, and all that are judged. */
const PREVIEWED_DATES = 4;

function Preview({ request, access_key, weekdays, until }: PreviewProps): ReactNode {
  const { t } = useTranslation();
  const weekdaysText = useWeekdaysText();
  const errorText = useErrorText();
  const typedRequest = useSettled(JSON.stringify(request), PREVIEW_PAUSE_MS);
  const { data, error, isFetching } = useServerQueryKeepingLast<StandingOccurrence[]>({
    queryKey: ['weekly claim preview', typedRequest],
    queryFn: ({ signal }) =>
      typedRequest === 'null' ? [] : previewStanding(JSON.parse(typedRequest), access_key, signal),
    gcTime: 0,
    meta: { hasOwnKey: true },
  });
  const judged = data?.findLastIndex(({ outcome }) => outcome !== 'later') ?? -1;
  const previewed = Math.max(PREVIEWED_DATES, judged + 1);
  return (
    <section className={styles.preview} aria-busy={isFetching}>
      <h3>{t('weeklyClaim.form.preview')}</h3>
      {request === null ? (
        <p className="muted fine">{t('weeklyClaim.form.choose')}</p>
      ) : error ? (
        <Alert tone="bad">{errorText(error)}</Alert>
      ) : data === undefined || (data.length === 0 && isFetching) ? (
        <p className="muted fine" role="status">
          {t('weeklyClaim.form.loading')}
        </p>
      ) : (
        <ul>
          {data.slice(0, previewed).map((occurrence) => (
            <Occurrence key={occurrence.date} {...occurrence} />
          ))}
          {data.length > previewed ? (
            <li className="muted">
              {t('weeklyClaim.form.then', { weekdays: weekdaysText(weekdays, 'weekday') })}
            </li>
          ) : null}
          {until ? <li className="muted">{t('weeklyClaim.until', { date: until })}</li> : null}
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
    outcome === 'later'
      ? t('weeklyClaim.outcome.later', { on: addDays(date, -ahead) })
      : t(`weeklyClaim.outcome.${outcome}`, { reason });
  return (
    <li
      className={classes(
        outcome === 'skipped' && styles.skipped,
        outcome === 'waitlist' && styles.waits,
      )}
    >
      <b>{dayText(date)}</b> <span>{text}</span>
    </li>
  );
}

/** Asks whether the claims that a weekly claim made for later stay when it ends. */
export function EndWeeklyClaimDialog({
  weeklyClaim,
  access_key,
  showEnded = (text) => showToast({ text }),
  onClose,
}: OverlayProps['endWeeklyClaim'] & { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const weekdaysText = useWeekdaysText();
  const [claims, setClaims] = useState<'keep' | 'release'>('keep');
  const spot = useBoard((board) => board.byKind.respawn.get(weeklyClaim.respawn_id)?.name) ?? '';
  // The board shows only claims of the active event, and the weekly claim may have made others before.
  const { data } = useServerQuery({
    queryKey: ['claims of weekly claim', weeklyClaim.id],
    queryFn: ({ signal }) => countStandingClaims(weeklyClaim.id, access_key, signal),
    gcTime: 0,
    meta: { hasOwnKey: access_key !== null },
  });
  const count = data?.count;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('weeklyClaim.ending.title', { spot })}
      text={
        <Stack>
          <p>{t('weeklyClaim.ending.text', { weekdays: weekdaysText(weeklyClaim.weekdays) })}</p>
          {count === 0 ? null : (
            <Segmented
              wide
              label={t('weeklyClaim.ending.claims')}
              value={claims}
              onChange={setClaims}
              options={[
                {
                  value: 'keep',
                  label:
                    count === undefined
                      ? t('weeklyClaim.ending.keepAll')
                      : t('weeklyClaim.ending.keep', { count }),
                },
                {
                  value: 'release',
                  label:
                    count === undefined
                      ? t('weeklyClaim.ending.releaseAll')
                      : t('weeklyClaim.ending.release', { count }),
                },
              ]}
            />
          )}
        </Stack>
      }
      confirmLabel={t('weeklyClaim.ending.confirm')}
      onConfirm={async () => {
        await deleteStanding(weeklyClaim.id, claims, access_key);
        await refreshQuery('weekly claims');
        showEnded(t('weeklyClaim.done.ended', { spot }));
      }}
      errorText={(error) => t('weeklyClaim.failed', { reason: errorText(error) })}
    />
  );
}
