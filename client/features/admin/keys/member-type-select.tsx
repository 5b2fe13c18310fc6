import type { ReactNode } from 'react';
import { useBoard } from '../../../store/board-store.ts';
import { Select } from '../../../ui/select.tsx';

interface MemberTypeSelectProps {
  label: string;
  value: string;
  onChange: (memberType: string) => void;
  disabled?: boolean | undefined;
}

/** The member types there are; one that no longer exists is listed only while it is chosen. */
export function MemberTypeSelect({ label, value, onChange, disabled }: MemberTypeSelectProps): ReactNode {
  const types = useBoard((board) => board.byKind.member_type);
  const names = [...types.values()].map((type) => type.member_type);
  const options = names.includes(value) ? names : [value, ...names];
  return (
    <Select
      label={label}
      value={value}
      options={options.map((name) => ({ value: name, label: name }))}
      onChange={onChange}
      disabled={disabled}
      wide={false}
    />
  );
}
