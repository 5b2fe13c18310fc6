import type { ReactNode } from 'react';

export function ClaimsTab(): ReactNode {
  return null;
}
