import type { KeyboardEvent } from 'react';

/**
 * Enter in a field of a row saves, Escape anywhere in it cancels. An open list of choices keeps both, and Enter on a
 * button or a file presses it.
 */
export function saveOrCancel(event: KeyboardEvent, { save, cancel }: { save: () => void; cancel: () => void }): void {
  const { target } = event;
  if (!(target instanceof Element) || isOpenList(target)) return;
  if (event.key === 'Escape') cancel();
  else if (event.key === 'Enter' && target.matches('select, input:not([type="file"])')) save();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

const isOpenList = (target: Element): boolean => CSS.supports('selector(:open)') && target.matches('select:open');
