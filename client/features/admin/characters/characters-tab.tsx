import type { ReactNode } from 'react';

export function CharactersTab(): ReactNode {
  return null;
}
