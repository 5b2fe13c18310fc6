import type { ReactNode } from 'react';

export function CategoriesTab(): ReactNode {
  return null;
}
