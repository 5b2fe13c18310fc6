import type { KeyboardEvent, MouseEvent } from 'react';

/** It is dealt with: neither the link nor the grid hears of it. */
export function take(event: MouseEvent | KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

export const isModified = (event: MouseEvent | KeyboardEvent): boolean => event.metaKey || event.ctrlKey || event.altKey;
