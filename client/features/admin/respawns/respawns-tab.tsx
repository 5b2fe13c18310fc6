import type { ReactNode } from 'react';

export function RespawnsTab(): ReactNode {
  return null;
}
