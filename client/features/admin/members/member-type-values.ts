import { useTranslation } from 'react-i18next';
import { DEFAULT_MEMBER_TYPE_COLOR } from '../../../../shared/rules/badge.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import { DEFAULT_VOUCHER_HOURS, type MemberType } from '../../../../shared/schemas/member-type.ts';
import { useDayText } from '../../../lib/time-text.ts';
import type { FormFields } from '../../../ui/form/fields.ts';

/** A member type in its form: numbers as they are typed, ranks separated by commas. */
export interface MemberTypeValues {
  member_type: string;
  voucher_duration_hours: string;
  can_submit: boolean;
  allow_secondary_claims: boolean;
  earliest_submission_date: string;
  background_color: string;
  guild_ranks: string;
  /** Empty: no limit. */
  max_hours_per_day: string;
  max_hours_per_event: string;
}
/** @param today the server-save date: a new type may submit from it */
export const proposedValues = (today: string): MemberTypeValues => ({
  member_type: '',
  voucher_duration_hours: String(DEFAULT_VOUCHER_HOURS),
  can_submit: true,
  allow_secondary_claims: true,
  earliest_submission_date: today,
  background_color: DEFAULT_MEMBER_TYPE_COLOR,
  guild_ranks: '',
  max_hours_per_day: '',
  max_hours_per_event: '',
});

const ranksIn = (text: string): string[] => text.split(',').map(tidyName).filter(Boolean);

const budgetIn = (text: string): number | null => (text.trim() ? Number(text) : null);

export function useMemberTypeFields(): FormFields<MemberType, MemberTypeValues> {
  const { t } = useTranslation();
  const dayText = useDayText();
  const hours = (text: string): string => t('admin.members.hours', { count: Number(text) });
  const budget = (field: 'max_hours_per_day' | 'max_hours_per_event') => ({
    label: t(`admin.members.fields.${field}`),
    from: (type: MemberType) => String(type[field] ?? ''),
    send: budgetIn,
    words: (text: string) => (text ? hours(text) : t('admin.members.noLimit')),
  });
  const flag = (field: 'can_submit' | 'allow_secondary_claims') => ({
    label: t(`admin.members.fields.${field}`),
    from: (type: MemberType) => type[field] === 1,
    send: Number,
    words: (on: boolean) => t(on ? 'admin.activity.yes' : 'admin.activity.no'),
  });
  return {
    member_type: {
      label: t('admin.members.fields.member_type'),
      from: ({ member_type }) => member_type,
      send: tidyName,
      codes: ['memberType.nameRequired', 'memberType.nameExists'],
    },
    background_color: {
      label: t('admin.members.fields.background_color'),
      from: ({ background_color }) => background_color,
      send: (color) => color.trim().toLowerCase(),
      codes: ['memberType.colorInvalid'],
    },
    voucher_duration_hours: {
      label: t('admin.members.fields.voucher_duration_hours'),
      from: ({ voucher_duration_hours }) => String(voucher_duration_hours),
      // Number('') is 0.
      send: (text) => (text.trim() ? Number(text) : Number.NaN),
      words: hours,
      codes: ['memberType.durationOutOfRange'],
    },
    earliest_submission_date: {
      label: t('admin.members.fields.earliest_submission_date'),
      from: ({ earliest_submission_date }) => earliest_submission_date,
      words: (date) => date && dayText(date, 'dateAndYear'),
    },
    max_hours_per_day: budget('max_hours_per_day'),
    max_hours_per_event: budget('max_hours_per_event'),
    guild_ranks: {
      label: t('admin.members.fields.guild_ranks'),
      from: ({ guild_ranks }) => guild_ranks.join(', '),
      send: ranksIn,
      codes: ['memberType.rankTaken'],
    },
    can_submit: flag('can_submit'),
    allow_secondary_claims: flag('allow_secondary_claims'),
  };
}

export interface TypeUsage {
  keys: number;
  claims: number;
}

interface Typed {
  member_type: string;
}

/** By member type; unused types are left out. */
export function usageByType(
  keys: Iterable<Typed>,
  claims: Iterable<Typed>,
): ReadonlyMap<string, TypeUsage> {
  const counts = new Map<string, TypeUsage>();
  const count = (records: Iterable<Typed>, what: keyof TypeUsage): void => {
    for (const { member_type } of records) {
      const known = counts.get(member_type) ?? { keys: 0, claims: 0 };
      known[what] += 1;
      counts.set(member_type, known);
    }
  };
  count(keys, 'keys');
  count(claims, 'claims');
  return counts;
}
