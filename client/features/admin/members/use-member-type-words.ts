import { useTranslation } from 'react-i18next';
import { formatLocale } from '../../../lib/format-locale.ts';
import { dateInWords } from '../../../lib/local-time.ts';
import type { MemberTypeValues } from './member-type-values.ts';

interface MemberTypeWords {
  labelOf: (field: keyof MemberTypeValues) => string;
  inWords: (field: keyof MemberTypeValues, values: MemberTypeValues) => string;
}

/** A member type's fields and what they hold, as a person reads them. */
export function useMemberTypeWords(): MemberTypeWords {
  const { t, i18n } = useTranslation();
  return {
    labelOf: (field) => t(`admin.members.fields.${field}`),
    inWords: (field, values) => {
      const value = values[field];
      if (typeof value === 'boolean') return value ? t('admin.members.yes') : t('admin.members.no');
      if (field === 'voucher_duration_hours') return t('admin.members.hours', { count: Number(value) });
      if (field !== 'earliest_submission_date' || !value) return value;
      return dateInWords(value, formatLocale(i18n.language), { day: 'numeric', month: 'short', year: 'numeric' });
    },
  };
}
