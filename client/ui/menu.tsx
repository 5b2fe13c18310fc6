import {
  type ComponentProps,
  cloneElement,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Link } from 'react-router-dom';
import { plain } from '../lib/words/plain.ts';
import { classes } from './classes.ts';
import { CheckIcon } from './icons.tsx';
import styles from './menu.module.css';
import { placeBeside } from './place-beside.ts';
import { useDismiss } from './use-dismiss.ts';

const CloseMenu = createContext<() => void>(() => {});

export interface MenuProps {
  /** A button; it says by itself that it opens a menu. */
  trigger: ReactElement<ComponentProps<'button'>>;
  align?: 'start' | 'end';
  className?: string | undefined;
  children: ReactNode;
}

/** A button that opens a list of commands: arrow keys and first letters move, Escape and Tab leave. */
export function Menu({ trigger, align = 'start', className, children }: MenuProps): ReactNode {
  const [open, setOpen] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const close = (): void => {
    button.current?.focus();
    setOpen(false);
  };
  useLayoutEffect(() => {
    if (!open || !list.current || !button.current) return;
    // In the top layer nothing clips it.
    list.current.showPopover?.();
    placeBeside(list.current, button.current, align);
    list.current.focus({ preventScroll: true });
  }, [open, align]);
  useDismiss(open, [button, list], (byKey) => (byKey ? close() : setOpen(false)));
  const openByArrow = (event: KeyboardEvent): void => {
    if (open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: () => setOpen(!open),
        onKeyDown: openByArrow,
      })}
      {open ? (
        <CloseMenu value={close}>
          <div
            ref={list}
            id={id}
            role="menu"
            tabIndex={-1}
            popover="manual"
            className={classes(styles.content, className)}
            onKeyDown={(event) => moveFocus(event, () => setOpen(false))}
          >
            {children}
          </div>
        </CloseMenu>
      ) : null}
    </>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>, leave: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = (): HTMLElement | undefined => {
    switch (event.key) {
      case 'ArrowDown':
        return items[(at + 1) % items.length];
      case 'ArrowUp':
        return items[at <= 0 ? items.length - 1 : at - 1];
      case 'Home':
        return items[0];
      case 'End':
        return items.at(-1);
      default:
        return event.key.length === 1 && event.key !== ' ' ? startingWith(event.key, items, at) : undefined;
    }
  };
  if (event.key === 'Tab') leave();
  const item = next();
  if (!item) return;
  event.preventDefault();
  item.focus();
}

/** The next item after the one at `from` whose text begins with a letter. */
function startingWith(letter: string, items: readonly HTMLElement[], from: number): HTMLElement | undefined {
  const inOrder = [...items.slice(from + 1), ...items.slice(0, from + 1)];
  return inOrder.find((item) => plain(item.textContent).startsWith(plain(letter)));
}

// The pointer and the keys share one highlight: the focus.
const focusOnPointer: Pick<ComponentProps<'button'>, 'onPointerMove'> = {
  onPointerMove: (event) => {
    if (document.activeElement !== event.currentTarget) event.currentTarget.focus({ preventScroll: true });
  },
};

export interface MenuItemProps {
  onSelect: () => void;
  /** For what the member would not want to press by mistake. */
  danger?: boolean;
  disabled?: boolean;
  /** The menu stays open, to show what came of it. */
  keepOpen?: boolean;
  children: ReactNode;
}

export function MenuItem({ onSelect, danger, disabled = false, keepOpen, children }: MenuItemProps): ReactNode {
  const close = useContext(CloseMenu);
  const choose = (): void => {
    if (disabled) return;
    if (!keepOpen) close();
    onSelect();
  };
  return (
    <button
      {...focusOnPointer}
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={disabled || undefined}
      className={classes(styles.item, danger && styles.danger)}
      onClick={choose}
    >
      {children}
    </button>
  );
}

export function MenuLink({ to, children }: { to: string; children: ReactNode }): ReactNode {
  const close = useContext(CloseMenu);
  return (
    <Link
      to={to}
      role="menuitem"
      tabIndex={-1}
      className={classes(styles.item)}
      onClick={close}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
    >
      {children}
    </Link>
  );
}

export interface MenuChoicesProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: ReactNode; lang?: string }[];
  onChange: (value: V) => void;
}

/** One of several, the chosen one marked. */
export function MenuChoices<V extends string>({ label, value, options, onChange }: MenuChoicesProps<V>): ReactNode {
  const close = useContext(CloseMenu);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a menu
    <div role="group" aria-label={label}>
      {options.map((option) => (
        <button
          {...focusOnPointer}
          key={option.value}
          type="button"
          role="menuitemradio"
          aria-checked={option.value === value}
          tabIndex={-1}
          lang={option.lang}
          className={styles.item}
          onClick={() => {
            close();
            onChange(option.value);
          }}
        >
          <span className={styles.mark}>{option.value === value ? <CheckIcon size={14} /> : null}</span>
          {option.label}
        </button>
      ))}
    </div>
  );
}

export function MenuLabel({ children }: { children: ReactNode }): ReactNode {
  return (
    <div role="presentation" className={styles.label}>
      {children}
    </div>
  );
}

export function MenuSeparator(): ReactNode {
  return <hr className={styles.separator} />;
}
