import * as Radix from 'radix-ui/dropdown-menu';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  use,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { classes } from './classes.ts';
import { CheckIcon } from './icons.tsx';
import { Link } from './link.tsx';
import styles from './menu.module.css';
import { OpenMenuContext } from './menu.tsx';
import { hideTip } from './tooltip.tsx';

const GAP = 6;
const EDGE = 8;

interface MenuListProps {
  /** Its groups have two columns. */
  wide?: boolean;
  children: ReactNode;
}

/** The list of an open `Menu`: arrow keys and first letters move, Escape and Tab leave. */
export function MenuList({ wide, children }: MenuListProps): ReactNode {
  const menu = use(OpenMenuContext);
  if (!menu) throw new Error('a list of commands stands in a Menu');
  const { button, buttonId, listId, align, close, startsAtFirst = false } = menu;
  const wasLeft = useRef(false);
  const goesToFirst = useRef(startsAtFirst);
  const closeOnResize = useEffectEvent(close);
  useEffect(() => {
    // A phone's address bar changes the height whenever the page is scrolled.
    const width = window.innerWidth;
    const onResize = (): void => {
      if (window.innerWidth !== width) closeOnResize();
    };
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  }, []);
  // The tab order continues from the button.
  const leaveByTab = (event: KeyboardEvent): void => {
    if (event.key !== 'Tab') return;
    event.stopPropagation();
    button.current?.focus();
    close();
  };
  return (
    <Radix.Root open modal={false} onOpenChange={close}>
      <Radix.Trigger asChild>
        <MenuButton button={button} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          id={listId}
          aria-labelledby={buttonId}
          className={classes(styles.content, wide && styles.wide)}
          align={align}
          sideOffset={GAP}
          collisionPadding={EDGE}
          loop
          onKeyDownCapture={leaveByTab}
          onFocus={({ target, currentTarget }) => {
            if (target !== currentTarget || !goesToFirst.current) return;
            goesToFirst.current = false;
            currentTarget.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
          }}
          onInteractOutside={(event) => {
            // Its own press closes it.
            if (event.target instanceof Node && button.current?.contains(event.target))
              event.preventDefault();
            else wasLeft.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // Unless a link was followed or another element was pressed, which have taken the focus.
            if (!wasLeft.current && document.activeElement === document.body)
              button.current?.focus({ preventScroll: true });
          }}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuAtProps {
  /** The pressed element, such as a claim's bar: it names the list, and the focus returns to it. */
  anchor: HTMLElement;
  /** The subject of its commands. */
  about: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A list of commands at an element that opened it by an overlay. */
export function MenuAt({ anchor, about, onClose, children }: MenuAtProps): ReactNode {
  const ownId = useId();
  const listId = useId();
  const buttonId = anchor.id || ownId;
  useLayoutEffect(() => {
    anchor.id = buttonId;
    anchor.setAttribute('aria-expanded', 'true');
    // It would cover the list.
    hideTip();
    return () => anchor.removeAttribute('aria-expanded');
  }, [anchor, buttonId]);
  const [startsAtFirst] = useState(() => anchor.matches(':focus-visible'));
  const menu = { button: { current: anchor }, buttonId, listId, close: onClose, startsAtFirst };
  return (
    <OpenMenuContext value={{ ...menu, align: 'start' }}>
      <MenuList>
        <p className={styles.about}>{about}</p>
        {children}
      </MenuList>
    </OpenMenuContext>
  );
}

/** Radix positions the list at this: the button that was there before the list was fetched. */
function MenuButton({
  button,
  ref,
}: {
  button: RefObject<HTMLElement | null>;
  ref?: Ref<HTMLElement | null>;
}): ReactNode {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => button.current, [button]);
  return null;
}

export interface MenuItemProps {
  onSelect: () => void;
  /** For what the member would not want to press by mistake. */
  danger?: boolean;
  /** Why it can't be chosen: said below it. */
  blocked?: string | null | undefined;
  /** The menu stays open, to show what came of it. */
  keepOpen?: boolean;
  /** The accessible name, if the visible text doesn't name its object. */
  label?: string;
  isCurrent?: boolean;
  children: ReactNode;
}

export function MenuItem({
  onSelect,
  danger,
  blocked,
  keepOpen,
  label,
  isCurrent,
  children,
}: MenuItemProps): ReactNode {
  return (
    <Radix.Item
      // Not `disabled`: the arrow keys would skip it, and the reason with it.
      aria-disabled={blocked ? true : undefined}
      aria-current={isCurrent || undefined}
      aria-label={label}
      className={classes(styles.item, danger && styles.danger)}
      onSelect={(event) => {
        if (keepOpen || blocked) event.preventDefault();
        if (!blocked) onSelect();
      }}
    >
      {children}
      {blocked ? <small className={styles.reason}>{blocked}</small> : null}
    </Radix.Item>
  );
}

export function MenuLink({ to, children }: { to: string; children: ReactNode }): ReactNode {
  return (
    <Radix.Item asChild>
      <Link to={to} className={styles.item}>
        {children}
      </Link>
    </Radix.Item>
  );
}

export interface MenuChoicesProps<V extends string> {
  label: string;
  value: V;
  options: readonly {
    value: V;
    label: string;
    lang?: string /** In place of the label, in a row. */;
    short?: ReactNode;
  }[];
  onChange: (value: V) => void;
  /** Side by side in one line. */
  inRow?: boolean;
}

/** One of several, the chosen one marked. */
export function MenuChoices<V extends string>({
  label,
  value,
  options,
  onChange,
  inRow,
}: MenuChoicesProps<V>): ReactNode {
  return (
    <Radix.RadioGroup
      value={value}
      aria-label={label}
      className={inRow ? styles.choices : undefined}
    >
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          lang={option.lang}
          title={inRow ? option.label : undefined}
          className={styles.item}
          onSelect={() => onChange(option.value)}
        >
          {inRow ? null : (
            <span className={styles.mark}>
              {option.value === value ? <CheckIcon size={14} /> : null}
            </span>
          )}
          {inRow && option.short ? (
            <>
              <span aria-hidden="true">{option.short}</span>
              <span className="visually-hidden">{option.label}</span>
            </>
          ) : (
            option.label
          )}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

/** Commands that belong together: in a wide list, in two columns. */
export function MenuGroup({ label, children }: { label?: string; children: ReactNode }): ReactNode {
  return (
    <Radix.Group aria-label={label} className={styles.group}>
      {children}
    </Radix.Group>
  );
}

export function MenuFooter({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.footer}>{children}</div>;
}

export function MenuLabel({ children }: { children: ReactNode }): ReactNode {
  return <Radix.Label className={styles.label}>{children}</Radix.Label>;
}

export function MenuSeparator(): ReactNode {
  return <Radix.Separator className={styles.separator} />;
}
