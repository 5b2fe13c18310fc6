import { useTranslation } from 'react-i18next';
import { isActivityAction } from '../../../../shared/activity-actions.ts';
import type { Json } from '../../../../shared/errors.ts';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { isAdminRole } from '../../../../shared/rules/roles.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { SWITCH_SETTINGS } from '../../../../shared/settings.ts';
import { dateInWords, formatLocale } from '../../../lib/words/local-time.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useActionName } from './actions.ts';
import { type Fact, factsOf } from './facts.ts';

export interface Facts {
  factsOf: (entry: ActivityEntry) => Fact[];
  /** A fact where nothing can be formatted: in a table's file, or to see how long it is. */
  textOf: (fact: Fact) => string;
}

/** Fields that are 0 or 1 and mean no or yes. */
const FLAGS: ReadonlySet<string> = new Set(['is_enabled', 'can_submit', 'allow_secondary_claims', ...SWITCH_SETTINGS]);
const HOURS = new Set(['hour_start', 'hour_end', 'secondary_hour_end']);
const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** What entries say, in the reader's language and with the names of things. */
export function useFacts(): Facts {
  const { t, i18n } = useTranslation();
  const actionName = useActionName();
  const events = useBoard((board) => board.byKind.event);
  const dateOf = (date: string): string =>
    dateInWords(date, formatLocale(i18n.language), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const labelOf = (field: string): string =>
    i18n.exists(`admin.activity.fields.${field}`)
      ? t(`admin.activity.fields.${field}`, { defaultValue: field })
      : field.replaceAll('_', ' ');

  const wordsOf = (field: string, value: Json): string => {
    if (value === null || value === '') return t('admin.activity.none');
    if (typeof value === 'boolean' || (FLAGS.has(field) && typeof value === 'number'))
      return t(value ? 'admin.activity.yes' : 'admin.activity.no');
    if (typeof value === 'number') return HOURS.has(field) ? t('time.hour', { hour: value }) : String(value);
    if (typeof value === 'string') return textValue(field, value);
    if (Array.isArray(value)) return value.map((one) => wordsOf(field, one)).join(', ') || t('admin.activity.none');
    return Object.entries(value)
      .map(([key, one]) => `${labelOf(key)}: ${wordsOf(key, one)}`)
      .join(', ');
  };
  const textValue = (field: string, value: string): string => {
    if (field === 'type' && (value === 'single_claim' || value === 'multiple_claims')) return t(`admin.events.type.${value}`);
    if (field === 'role' && isAdminRole(value)) return t(`admin.roles.${value}.name`);
    if (field === 'undid_action' && isActivityAction(value)) return actionName(value);
    if (field === 'start_time' || field === 'end_time') return [dateOf(eventDate(value)), value.slice(11, 16)].filter(Boolean).join(', ');
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
      if (fact.kind === 'change') return `${fact.label}: ${t('admin.activity.change', { from: fact.from, to: fact.to })}`;
      return fact.kind === 'value' ? `${fact.label}: ${fact.text}` : fact.text;
    },
  };
}

/** Who did it: an admin, a member, a visitor without a key, the server by itself, or who works on it. */
export function useDoneBy(): (entry: ActivityEntry) => string {
  const { t } = useTranslation();
  return ({ actor_kind, actor_name }) => {
    switch (actor_kind) {
      case 'admin':
        return actor_name ?? '';
      case 'member':
        return t('admin.activity.by.member', { name: actor_name });
      case 'command_line':
        return t('admin.activity.by.commandLine');
      case 'visitor':
        return t('admin.activity.by.visitor');
      default:
        return t('admin.activity.by.server');
    }
  };
}
