import { useTranslation } from 'react-i18next';
import { ADMIN_ROLES, type AdminRole } from '../../../../shared/rules/roles.ts';
import type { SelectOption } from '../../../ui/fields/select.tsx';

/** The roles to choose from, the mightiest first. */
export function useRoleOptions(): SelectOption<AdminRole>[] {
  const { t } = useTranslation();
  return ADMIN_ROLES.map((value) => ({ value, label: t(`admin.roles.${value}.name`) }));
}
