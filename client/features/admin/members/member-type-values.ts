import type { FieldErrors, Resolver } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { DEFAULT_MEMBER_TYPE_COLOR } from '../../../../shared/rules/badge.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import {
  DEFAULT_VOUCHER_HOURS,
  type MemberType,
  type MemberTypeChange,
  type MemberTypeInput,
  memberTypeInput,
} from '../../../../shared/schemas/member-type.ts';
import { ApiError } from '../../../api/request.ts';
import { useDayText } from '../../../lib/time-text.ts';

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
const MEMBER_TYPE_FIELDS = [
  'member_type',
  'background_color',
  'voucher_duration_hours',
  'earliest_submission_date',
  'max_hours_per_day',
  'max_hours_per_event',
  'guild_ranks',
  'can_submit',
  'allow_secondary_claims',
] as const;

export const valuesOf = (type: MemberType): MemberTypeValues => ({
  member_type: type.member_type,
  voucher_duration_hours: String(type.voucher_duration_hours),
  can_submit: type.can_submit === 1,
  allow_secondary_claims: type.allow_secondary_claims === 1,
  earliest_submission_date: type.earliest_submission_date,
  background_color: type.background_color,
  guild_ranks: type.guild_ranks.join(', '),
  max_hours_per_day: type.max_hours_per_day === null ? '' : String(type.max_hours_per_day),
  max_hours_per_event: type.max_hours_per_event === null ? '' : String(type.max_hours_per_event),
});

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

export function inputOf(values: MemberTypeValues): Required<MemberTypeInput> {
  const { voucher_duration_hours: hours } = values;
  return {
    member_type: tidyName(values.member_type),
    // Number('') is 0.
    voucher_duration_hours: hours.trim() ? Number(hours) : Number.NaN,
    can_submit: values.can_submit ? 1 : 0,
    earliest_submission_date: values.earliest_submission_date,
    allow_secondary_claims: values.allow_secondary_claims ? 1 : 0,
    background_color: values.background_color.trim(),
    guild_ranks: ranksIn(values.guild_ranks),
    max_hours_per_day: budgetIn(values.max_hours_per_day),
    max_hours_per_event: budgetIn(values.max_hours_per_event),
  };
}

/** The fields in which two versions differ; ranks as a list, hours as a number, colours without case. */
export function differingFields(
  before: MemberTypeValues,
  after: MemberTypeValues,
): (keyof MemberTypeValues)[] {
  const [a, b] = [comparable(before), comparable(after)];
  return MEMBER_TYPE_FIELDS.filter((field) => a[field] !== b[field]);
}

const comparable = (values: MemberTypeValues): MemberTypeValues => ({
  ...values,
  voucher_duration_hours: String(inputOf(values).voucher_duration_hours),
  background_color: values.background_color.trim().toLowerCase(),
  guild_ranks: ranksIn(values.guild_ranks).join(', '),
  max_hours_per_day: String(budgetIn(values.max_hours_per_day) ?? ''),
  max_hours_per_event: String(budgetIn(values.max_hours_per_event) ?? ''),
});

/** The changed fields. Unchanged ones are not sent, so that they don't overwrite another admin's change. */
export function changeOf(stored: MemberType, values: MemberTypeValues): MemberTypeChange {
  const wanted = inputOf(values);
  return Object.fromEntries(
    differingFields(valuesOf(stored), values).map((field) => [field, wanted[field]]),
  );
}

/** Checks with the schema of the server; a message is one of our error codes, or the schema's own words. */
export const checkMemberType: Resolver<MemberTypeValues> = (values) => {
  const errors: FieldErrors<MemberTypeValues> = {};
  for (const { path, message } of memberTypeInput.safeParse(inputOf(values)).error?.issues ?? []) {
    const field = MEMBER_TYPE_FIELDS.find((one) => one === path[0]);
    if (field) errors[field] ??= { type: 'check', message };
  }
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
};

const FIELD_OF_CODE: { [code: string]: keyof MemberTypeValues | undefined } = {
  'memberType.nameRequired': 'member_type',
  'memberType.nameExists': 'member_type',
  'memberType.durationOutOfRange': 'voucher_duration_hours',
  'memberType.colorInvalid': 'background_color',
  'memberType.rankTaken': 'guild_ranks',
};

/** The field that a refusal is about, if it is about one. */
export const fieldOf = (error: unknown): keyof MemberTypeValues | undefined =>
  error instanceof ApiError ? FIELD_OF_CODE[error.code] : undefined;

interface MemberTypeWords {
  labelOf: (field: keyof MemberTypeValues) => string;
  inWords: (field: keyof MemberTypeValues, values: MemberTypeValues) => string;
}

/** A member type's fields and what they hold, as a person reads them. */
export function useMemberTypeWords(): MemberTypeWords {
  const { t } = useTranslation();
  const dayText = useDayText();
  return {
    labelOf: (field) => t(`admin.members.fields.${field}`),
    inWords: (field, values) => {
      const value = values[field];
      if (typeof value === 'boolean') return value ? t('admin.members.yes') : t('admin.members.no');
      const isBudget = field === 'max_hours_per_day' || field === 'max_hours_per_event';
      if (isBudget && !value) return t('admin.members.noLimit');
      if (isBudget || field === 'voucher_duration_hours')
        return t('admin.members.hours', { count: Number(value) });
      if (field !== 'earliest_submission_date' || !value) return value;
      return dayText(value, 'dateAndYear');
    },
  };
}

/** How many keys, and claims on the board, have a member type. */
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
