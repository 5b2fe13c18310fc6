import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Select } from '../../../ui/fields/select.tsx';

interface CategorySelectProps {
  /** null: without one. */
  value: number | null;
  onChange: (category_id: number | null) => void;
  /** Its name, unless a Field around it gives one. */
  label?: string | undefined;
  /** A new respawn has one. */
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  invalid?: boolean | undefined;
}

const NONE = 'none';

/** The categories there are, by name. */
export function CategorySelect({ value, onChange, label, required, disabled, invalid }: CategorySelectProps): ReactNode {
  const { t } = useTranslation();
  const categories = useBoard((board) => board.byKind.category);
  const options = inNameOrder(categories.values(), ({ name }) => name).map(({ id, name }) => ({ value: String(id), label: name }));
  const none = { value: NONE, label: t('admin.respawns.noCategory') };
  return (
    <Select
      label={label}
      value={value === null ? NONE : String(value)}
      options={required ? options : [...options, none]}
      onChange={(chosen) => onChange(chosen === NONE ? null : Number(chosen))}
      disabled={disabled}
      invalid={invalid}
    />
  );
}
