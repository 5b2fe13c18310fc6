import {
  type ComponentProps,
  cloneElement,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  Suspense,
  useId,
  useRef,
  useState,
} from 'react';
import { Boundary } from './boundary.tsx';
import { PartFailedToast } from './part-failed-toast.tsx';

export interface OpenMenu {
  button: RefObject<HTMLElement | null>;
  buttonId: string;
  listId: string;
  align: 'start' | 'end';
  close: () => void;
  /** Its first item has the focus, as after a press of a key. */
  startsAtFirst?: boolean;
}

/** The button's state that a `MenuList` needs. */
export const OpenMenuContext = createContext<OpenMenu | null>(null);

export interface MenuProps {
  /** A button. Its ARIA attributes and handlers are added here. */
  trigger: ReactElement<ComponentProps<'button'>>;
  align?: 'start' | 'end';
  /** A `MenuList`, fetched when it is first opened: most members open a menu once an evening. */
  children: ReactNode;
}

/** A button that opens a list of commands. The list is loaded when it is first opened. */
export function Menu({ trigger, align = 'start', children }: MenuProps): ReactNode {
  const [open, setOpen] = useState<'by-key' | 'by-press' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const buttonId = useId();
  const listId = useId();
  const close = (): void => setOpen(null);
  const openByArrow = (event: KeyboardEvent): void => {
    if (open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    setOpen('by-key');
  };
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        id: buttonId,
        'aria-haspopup': 'menu',
        'aria-expanded': open !== null,
        'aria-controls': open ? listId : undefined,
        // A key's click has no count.
        onClick: ({ detail }: MouseEvent) =>
          setOpen(open ? null : detail === 0 ? 'by-key' : 'by-press'),
        onKeyDown: openByArrow,
      })}
      {open ? (
        <Boundary instead={() => <PartFailedToast onShown={close} />}>
          <Suspense>
            <OpenMenuContext
              value={{ button, buttonId, listId, align, close, startsAtFirst: open === 'by-key' }}
            >
              {children}
            </OpenMenuContext>
          </Suspense>
        </Boundary>
      ) : null}
    </>
  );
}
