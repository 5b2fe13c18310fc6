import { useEffect, useEffectEvent } from 'react';
import { areShortcutsOn } from '../../../lib/shortcuts.ts';

export interface BoardKeys {
  /** One day back, or on. */
  onStep: (days: 1 | -1) => void;
  onTimeline: () => void;
  onHelp: () => void;
}

/** What takes letters itself. */
const TAKES_LETTERS = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"]';
const STEPS: { [key in string]?: 1 | -1 } = { ArrowLeft: -1, ArrowRight: 1 };

/** The board's own keys, while nothing that takes letters has the focus: `/`, `t`, `?`; arrows where nothing has it at all. */
export function useBoardKeys({ onStep, onTimeline, onHelp }: BoardKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !areShortcutsOn()) return;
    if (!(target instanceof Element) || target.closest(TAKES_LETTERS)) return;
    const step = target === document.body || target.matches('main') ? STEPS[key] : undefined;
    const act = step ? () => onStep(step) : { '/': focusSearch, t: onTimeline, T: onTimeline, '?': onHelp }[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
  search?.focus();
  search?.select();
}
