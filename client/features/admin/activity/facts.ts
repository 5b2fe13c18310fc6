import { useTranslation } from 'react-i18next';
import { type ActivityAction, isActivityAction } from '../../../../shared/activity-actions.ts';
import type { Json } from '../../../../shared/errors.ts';
import { eventKeyOf } from '../../../../shared/event-keys.ts';
import { DAY_END, DAY_START, eventDate } from '../../../../shared/rules/event-period.ts';
import { isAdminRole } from '../../../../shared/rules/roles.ts';
import { STANDING_END_REASONS } from '../../../../shared/rules/standing.ts';
import { isTransferOutcome } from '../../../../shared/rules/transfer.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { knownDetails } from '../../../../shared/schemas/activity-details.ts';
import type { NeedKind } from '../../../../shared/schemas/needs-look.ts';
import { SWITCH_SETTINGS } from '../../../../shared/settings.ts';
import { useDayText, useInstantText } from '../../../lib/time-text.ts';
import { useWeekdaysText } from '../../../lib/words/weekly-claims.ts';
import { useBoard } from '../../../state/board-store.ts';
import type { BadgeTone } from '../../../ui/badge.tsx';

export type Fact =
  /** The subject of the entry. */
  | { kind: 'name'; text: string }
  | { kind: 'note'; text: string }
  | { kind: 'hours'; date: string | null; start: number; end: number }
  | { kind: 'value'; label: string; text: string }
  | { kind: 'change'; label: string; from: string; to: string };

interface FactWords {
  labelOf: (field: string) => string;
  wordsOf: (field: string, value: Json) => string;
  dateOf: (date: string) => string;
  eventOf: (id: number) => string | null;
  note: (note: 'everyDay' | 'secondary' | 'splitClaim' | 'cleared' | 'notRestorable') => string;
  keyNote: (key: 'new' | 'kept' | 'replaced') => string;
}

/** Bookkeeping fields that the screen leaves out. */
const HIDDEN = new Set(['undid']);
const NAME_FIELDS = ['character_name', 'username', 'name'] as const;
const KEY_NOTES = ['new', 'kept', 'replaced'] as const;

/** An entry's details in reading order: subject, place, time, notes, changes. A detail unknown to this version is skipped. */
function factsOf(
  { action, details }: Pick<ActivityEntry, 'action' | 'details'>,
  words: FactWords,
): Fact[] {
  const left = new Map(
    Object.entries(knownDetails(action, details)).filter(([field]) => !HIDDEN.has(field)),
  );
  const take = (field: string): Json | undefined => {
    const value = left.get(field);
    left.delete(field);
    return value;
  };
  const facts: Fact[] = [];
  const names = [
    ...NAME_FIELDS,
    ...(action.startsWith('member_type') ? ['member_type'] : []),
    ...(left.has('places') ? [] : ['respawn_name']),
  ];
  for (const field of names) {
    const name = take(field);
    if (typeof name === 'string') facts.push({ kind: 'name', text: name });
  }
  facts.push(...placesAndDate(take('places'), take('date'), left.get('event_id'), words));
  if (take('is_secondary_claim')) facts.push({ kind: 'note', text: words.note('secondary') });
  if (take('is_split_claim')) facts.push({ kind: 'note', text: words.note('splitClaim') });
  if (take('cleared')) facts.push({ kind: 'note', text: words.note('cleared') });
  if (take('beyond_undo')) facts.push({ kind: 'note', text: words.note('notRestorable') });
  const key = take('key');
  const keyNote = KEY_NOTES.find((note) => note === key);
  if (keyNote) facts.push({ kind: 'note', text: words.keyNote(keyNote) });
  const changed = take('changed');
  const event_id = take('event_id');
  const event =
    typeof event_id === 'number' && !facts.some(({ kind }) => kind === 'name')
      ? words.eventOf(event_id)
      : null;
  if (event) facts.push({ kind: 'value', label: words.labelOf('event_id'), text: event });
  for (const [field, value] of left) {
    if (value === null || field === 'id' || field.endsWith('_id')) continue;
    facts.push({ kind: 'value', label: words.labelOf(field), text: words.wordsOf(field, value) });
  }
  return [...facts, ...changesIn(changed, words)];
}

function placesAndDate(
  places: Json | undefined,
  date: Json | undefined,
  event_id: Json | undefined,
  words: FactWords,
): Fact[] {
  const day = typeof date === 'string' ? date : null;
  const facts: Fact[] = [];
  for (const place of Array.isArray(places) ? places : []) {
    if (!isRecord(place)) continue;
    const { respawn_name, hour_start, hour_end } = place;
    if (typeof respawn_name === 'string') facts.push({ kind: 'note', text: respawn_name });
    if (typeof hour_start === 'number' && typeof hour_end === 'number') {
      facts.push({ kind: 'hours', date: day, start: hour_start, end: hour_end });
    }
  }
  if (day !== null) facts.push({ kind: 'note', text: words.dateOf(day) });
  else if (date === null && typeof event_id === 'number')
    facts.push({ kind: 'note', text: words.note('everyDay') });
  return facts;
}

/** Fields that were written with the same value are no change. */
function changesIn(changed: Json | undefined, { labelOf, wordsOf }: FactWords): Fact[] {
  if (!isRecord(changed)) return [];
  return Object.entries(changed).flatMap(([field, change]): Fact[] => {
    if (!isRecord(change))
      return [{ kind: 'value', label: labelOf(field), text: wordsOf(field, change) }];
    const from = wordsOf(field, change.from ?? null);
    const to = wordsOf(field, change.to ?? null);
    return from === to ? [] : [{ kind: 'change', label: labelOf(field), from, to }];
  });
}

const isRecord = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Facts {
  factsOf: (entry: ActivityEntry) => Fact[];
  /** A fact as plain text, for CSV files and to measure its length. */
  textOf: (fact: Fact) => string;
}

/** Fields that store no and yes as 0 and 1. */
const FLAGS: ReadonlySet<string> = new Set([
  'is_enabled',
  'can_submit',
  'allow_secondary_claims',
  'is_paused',
  'join_waitlist',
  ...SWITCH_SETTINGS,
]);
const NEED_KINDS = ['traded', 'deleted', 'left', 'renamed', 'rank'] satisfies NeedKind[];
const HOURS = new Set(['hour_start', 'hour_end', 'secondary_hour_end']);
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/;

export function useFacts(): Facts {
  const { t, i18n } = useTranslation();
  const dayText = useDayText();
  const instantText = useInstantText();
  const actionName = useActionName();
  const weekdaysText = useWeekdaysText();
  const events = useBoard((board) => board.byKind.event);
  const dateOf = (date: string): string => dayText(date, 'dayAndYear');
  const labelOf = (field: string): string =>
    i18n.exists(`admin.activity.fields.${field}`)
      ? t(`admin.activity.fields.${field}`, { defaultValue: field })
      : field.replaceAll('_', ' ');

  const wordsOf = (field: string, value: Json): string => {
    if (value === null || value === '') return t('admin.activity.none');
    if (typeof value === 'boolean' || (FLAGS.has(field) && typeof value === 'number'))
      return t(value ? 'admin.activity.yes' : 'admin.activity.no');
    if (field === 'weekdays' && typeof value === 'number') return weekdaysText([value]);
    if (typeof value === 'number')
      return HOURS.has(field) ? t('time.hour', { hour: value }) : String(value);
    if (typeof value === 'string') return textValue(field, value);
    if (Array.isArray(value))
      return value.map((one) => wordsOf(field, one)).join(', ') || t('admin.activity.none');
    return Object.entries(value)
      .map(([key, one]) => `${labelOf(key)}: ${wordsOf(key, one)}`)
      .join(', ');
  };
  const textValue = (field: string, value: string): string => {
    if (field === 'type' && (value === 'single_claim' || value === 'multiple_claims'))
      return t(`admin.events.type.${value}`);
    if (field === 'reason') {
      const reason = STANDING_END_REASONS.find((one) => one === value);
      if (reason) return t(`admin.activity.weeklyClaimEnded.${reason}`);
    }
    if (field === 'because' || field === 'kept') {
      const kind = NEED_KINDS.find((one) => one === value);
      if (kind) return t(`admin.needsLook.because.${kind}`);
    }
    if (field === 'role' && isAdminRole(value)) return t(`admin.roles.${value}.name`);
    if (field === 'undid_action' && isActivityAction(value)) return actionName(value);
    if (field === 'start_time' || field === 'end_time') return eventTimeText(value, dateOf);
    if (field === 'kind' && (value === 'discord' || value === 'webhook'))
      return t(`admin.notifications.kind.${value}`);
    if (field === 'outcome' && isTransferOutcome(value)) return t(`transfer.outcome.${value}`);
    if (field === 'switched_off' && (value === 'gone' || value === 'refused'))
      return t(`admin.activity.turnedOff.${value}`);
    const event = field === 'events' ? eventKeyOf(value) : null;
    if (event) return t(`admin.notifications.events.${event}.name`);
    if (INSTANT.test(value)) return instantText(value, 'dateAndClock');
    return CALENDAR_DATE.test(value) ? dateOf(value) : value;
  };

  return {
    factsOf: (entry) =>
      factsOf(entry, {
        labelOf,
        wordsOf,
        dateOf,
        eventOf: (id) => events.get(id)?.name ?? null,
        note: (note) => t(`admin.activity.${note}`),
        keyNote: (key) => t(`admin.activity.key.${key}`),
      }),
    textOf: (fact) => {
      if (fact.kind === 'hours') return t('time.range', { start: fact.start, end: fact.end });
      if (fact.kind === 'change')
        return `${fact.label}: ${t('admin.activity.change', { from: fact.from, to: fact.to })}`;
      return fact.kind === 'value' ? `${fact.label}: ${fact.text}` : fact.text;
    },
  };
}

/** The actor in words: an admin, a member, a visitor without a key, the server, or the command line. */
export function useActorName(): (entry: ActivityEntry) => string {
  const { t } = useTranslation();
  return ({ actor_kind, actor_name }) => {
    switch (actor_kind) {
      case 'admin':
        return actor_name ?? '';
      case 'member':
        return t('admin.activity.by.member', { name: actor_name });
      case 'discord':
        return t('admin.activity.by.discord', { name: actor_name });
      case 'command_line':
        return t('admin.activity.by.commandLine');
      case 'visitor':
        return t('admin.activity.by.visitor');
      default:
        return t('admin.activity.by.server');
    }
  };
}

function eventTimeText(time: string, dateOf: (date: string) => string): string {
  const date = dateOf(eventDate(time));
  const clock = time.slice(11, 16);
  const isWholeDay = clock === '' || time.endsWith(DAY_START) || time.endsWith(DAY_END);
  return isWholeDay ? date : `${date}, ${clock}`;
}

/** The colours of section 9 of the specification; any other action is grey. */
const TONE: { [A in ActivityAction]?: BadgeTone } = {
  claim_created: 'good',
  claim_updated: 'accent',
  claim_deleted: 'bad',
  event_created: 'good',
  event_updated: 'accent',
  event_deleted: 'bad',
  event_activated: 'solid',
  event_deactivated: 'accent',
  access_key_created: 'good',
  access_key_revoked: 'bad',
  member_type_updated: 'accent',
  config_updated: 'accent',
  user_verified: 'good',
  user_banned: 'bad',
  user_unbanned: 'good',
};

export const toneOf = (action: ActivityAction): BadgeTone => TONE[action] ?? 'plain';

export function useActionName(): (action: ActivityAction) => string {
  const { t } = useTranslation();
  return (action) => t(`admin.activity.actions.${action}`);
}
