import type { ReactNode } from 'react';

export function MembersTab(): ReactNode {
  return null;
}
