import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useState,
} from 'react';
import { classes } from '../classes.ts';
import styles from './combobox.module.css';

interface ComboboxFacts<O extends { id: string | number }> {
  label: string;
  /** Those that match the text, in order. */
  options: readonly O[];
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
  onChoose: (option: O) => void;
  /** The first option is highlighted if no other is. */
  takesFirst?: boolean;
  /** Arrow keys go on from the last option to the first, and back. */
  loops?: boolean;
  /** Any text is accepted: without a highlighted option, Enter keeps its native behavior. */
  isFreeText?: boolean;
  chosen?: O['id'] | undefined;
}

interface Combobox<O> {
  box: ComponentProps<'div'>;
  input: ComponentProps<'input'>;
  /** Opens below or above the input: the list, or the message that nothing matches. */
  popup: Pick<ComponentProps<'div'>, 'ref' | 'popover' | 'className'>;
  list: ComponentProps<'div'>;
  optionOf: (option: O) => OptionProps;
  /** The text changed: no option is highlighted. */
  onType: () => void;
}

export type OptionProps = ComponentProps<'div'> & { id: string; 'data-chosen': true | undefined };

/** How many options a page key passes. */
const PAGE = 8;

/**
 * The attributes of a text input with a list of options below it: arrow and page keys move, Enter or a press chooses, Escape and leaving
 * close it. The focus stays in the input. Written by hand, for Radix has none, and its select and menu keep the focus in their list.
 */
export function useCombobox<O extends { id: string | number }>({
  label,
  options,
  isOpen,
  onOpen,
  onClose,
  onChoose,
  takesFirst = false,
  loops = false,
  isFreeText = false,
  chosen,
}: ComboboxFacts<O>): Combobox<O> {
  const listId = useId();
  const [highlighted, setHighlighted] = useState<O['id'] | null>(null);
  const current =
    options.find(({ id }) => id === highlighted) ?? (takesFirst ? options[0] : undefined);
  const currentId = isOpen && current ? `${listId}-${current.id}` : undefined;
  useEffect(() => {
    if (currentId) document.getElementById(currentId)?.scrollIntoView?.({ block: 'nearest' });
  }, [currentId]);
  const open = (): void => {
    if (isOpen) return;
    setHighlighted(chosen ?? null);
    onOpen();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = current ? options.indexOf(current) : -1;
    const steps: Record<string, number | undefined> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + PAGE,
      PageUp: at - PAGE,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const nearest = Math.max(0, Math.min(options.length - 1, to));
      const isLoop = loops && nearest === at && event.key.startsWith('Arrow');
      const target = isLoop ? options.at(at === 0 ? -1 : 0) : options[nearest];
      if (!isOpen) open();
      else if (target) setHighlighted(target.id);
    } else if (event.key === 'Enter' && (!isFreeText || currentId)) {
      event.preventDefault();
      if (isOpen && current) onChoose(current);
      else open();
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      onClose();
    }
  };
  const popup = {
    ref: showPopup,
    popover: 'manual',
    className: classes(styles.list),
  } as const;
  return {
    box: {
      className: classes(styles.box),
      onBlur: (event: FocusEvent<HTMLDivElement>) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onClose();
      },
    },
    input: {
      role: 'combobox',
      'aria-expanded': isOpen,
      'aria-controls': isOpen && options.length > 0 ? listId : undefined,
      'aria-autocomplete': 'list',
      'aria-activedescendant': currentId,
      autoComplete: 'off',
      spellCheck: false,
      onClick: open,
      onKeyDown,
    },
    popup,
    list: {
      ...popup,
      id: listId,
      role: 'listbox',
      'aria-label': label,
      tabIndex: -1,
      // A press must not take the focus from the input, but a finger has to be able to scroll.
      onMouseDown: (event) => event.preventDefault(),
    },
    optionOf: (option) => ({
      id: `${listId}-${option.id}`,
      role: 'option',
      tabIndex: -1,
      // The option that the keys are on, as `aria-activedescendant` demands; the chosen one has its own mark.
      'aria-selected': isOpen && option === current,
      'data-chosen': option.id === chosen || undefined,
      className: classes(styles.option, isOpen && option === current && styles.highlighted),
      onClick: () => onChoose(option),
    }),
    onType: () => setHighlighted(null),
  };
}

/** Between the popup and its input, or the edge of the window, in pixels. */
const GAP = 6;
/** With less room below, in pixels, it opens above if there is more. */
const ENOUGH = 240;

/** In the top layer, no panel around the input cuts the popup off. */
function showPopup(popup: HTMLDivElement | null): (() => void) | undefined {
  const box = popup?.parentElement;
  // A browser without popovers leaves it below the input.
  if (!popup?.showPopover || !box) return undefined;
  const place = (): void => {
    const { left, top, bottom, width } = box.getBoundingClientRect();
    const { offsetTop: start, height } = window.visualViewport ?? {
      offsetTop: 0,
      height: window.innerHeight,
    };
    const above = top - start;
    const below = start + height - bottom;
    const isAbove = below < ENOUGH && above > below;
    popup.style.setProperty('--room', `${(isAbove ? above : below) - 2 * GAP}px`);
    popup.style.left = `${left}px`;
    popup.style.width = `${width}px`;
    popup.style.top = isAbove ? 'auto' : `${bottom + GAP}px`;
    popup.style.bottom = isAbove ? `${window.innerHeight - top + GAP}px` : 'auto';
  };
  popup.showPopover?.();
  place();
  const listeners = new AbortController();
  const on = { signal: listeners.signal, capture: true, passive: true };
  window.addEventListener('scroll', place, on);
  window.addEventListener('resize', place, on);
  return () => listeners.abort();
}
