import type { ReactNode } from 'react';

export function ActivityTab(): ReactNode {
  return null;
}
