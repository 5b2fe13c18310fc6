import type { ReactNode } from 'react';
import type { MemberType } from '../../../shared/schemas/member-type.ts';
import { Select } from './select.tsx';

export interface MemberTypeSelectProps {
  /** A deleted type is listed only while it is chosen. */
  types: { values: () => Iterable<MemberType> };
  value: string;
  onChange: (memberType: string) => void;
  /** Its name, unless a Field around it gives one. */
  label?: string | undefined;
  disabled?: boolean | undefined;
  /** Refused, where no Field around it says so. */
  invalid?: boolean | undefined;
  wide?: boolean | undefined;
}

export function MemberTypeSelect({ types, value, ...rest }: MemberTypeSelectProps): ReactNode {
  const names = [...types.values()].map((type) => type.member_type);
  const options = names.includes(value) ? names : [value, ...names];
  return (
    <Select
      {...rest}
      value={value}
      options={options.map((name) => ({ value: name, label: name }))}
    />
  );
}
