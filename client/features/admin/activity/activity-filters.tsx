import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ACTIVITY_ACTIONS, isActivityAction } from '../../../../shared/activity-actions.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { Button } from '../../../ui/button.tsx';
import { DateInput } from '../../../ui/fields/date-input.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { Panel } from '../../../ui/panel.tsx';
import styles from './activity.module.css';
import type { ActivityView } from './use-activity-view.ts';

/** A select's empty value stands for nothing chosen yet; "all" is a choice. */
const ALL = '*';

interface ActivityFiltersProps {
  view: ActivityView;
  /** Their admins are suggested. */
  entries: readonly ActivityEntry[];
  /** What is done with the entries that are left. */
  children: ReactNode;
}

export function ActivityFilters({ view, entries, children }: ActivityFiltersProps): ReactNode {
  const { t } = useTranslation();
  const suggestions = useId();
  const { action, admin, from, to } = view.filter;
  const admins = inNameOrder(
    [...new Set(entries.map((entry) => entry.admin_username))].filter((name) => name !== null),
    (name) => name,
  );
  const actions = inNameOrder(
    ACTIVITY_ACTIONS.map((value) => ({ value, label: t(`admin.activity.actions.${value}`) })),
    ({ label }) => label,
  );
  return (
    <Panel>
      <div className={styles.filters}>
        <Field label={t('admin.activity.action')}>
          <Select
            value={action || ALL}
            options={[{ value: ALL, label: t('admin.activity.allActions') }, ...actions]}
            onChange={(value) => view.change({ action: isActivityAction(value) ? value : '' })}
          />
        </Field>
        <Field label={t('admin.activity.admin')}>
          <TextInput
            list={suggestions}
            value={admin}
            onChange={(event) => view.change({ admin: event.target.value })}
            placeholder={t('admin.activity.adminHint')}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <datalist id={suggestions}>
          {admins.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Field label={t('admin.activity.from')}>
          <DateInput value={view.typed.from} max={to || undefined} onChange={(event) => view.change({ from: event.target.value })} />
        </Field>
        <Field label={t('admin.activity.to')}>
          <DateInput value={view.typed.to} min={from || undefined} onChange={(event) => view.change({ to: event.target.value })} />
        </Field>
        <Button disabled={!view.isFiltered} onClick={view.clear}>
          {t('admin.activity.clearFilters')}
        </Button>
        <span className={styles.filtersEnd}>{children}</span>
      </div>
    </Panel>
  );
}
