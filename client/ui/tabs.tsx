import * as Radix from 'radix-ui/tabs';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
} from 'react';
import { useMediaQuery } from '../lib/use-media-query.ts';
import { classes } from './classes.ts';
import { Select } from './fields/select.tsx';
import { Link } from './link.tsx';
import { MEDIA } from './media.ts';
import styles from './tabs.module.css';

/** How many wait behind a tab, and what that means in words. */
export interface TabCount {
  n: number;
  words: string;
}

/** Pages at the end of the row that are no tabs: one link leads to the first; on a phone they are a group of the menu. */
export interface PagesBeside<V extends string> {
  label: string;
  icon: ReactNode;
  to: string;
  pages: readonly { value: V; label: string }[];
}

export interface TabsProps<V extends string> {
  label: string;
  value: V;
  tabs: readonly { value: V; label: string; count?: TabCount | undefined }[];
  beside?: PagesBeside<V> | undefined;
  /** Explains the chosen tab, at the end of the row. */
  help?: ReactNode;
  onChange: (value: V) => void;
  children: ReactNode;
}

/**
 * A row of tabs, which scrolls where it is too long; below 480 px a menu. The content is one element at every width, so that
 * turning a phone keeps its input.
 */
export function Tabs<V extends string>(props: TabsProps<V>): ReactNode {
  const { value, tabs, beside, onChange, children } = props;
  const narrow = useMediaQuery(MEDIA.phone);
  const pageBeside = beside?.pages.find((page) => page.value === value);
  const chosen = pageBeside ? '' : value;
  const page = narrow
    ? (pageBeside ?? tabs.find((tab) => tab.value === value) ?? props)
    : pageBeside && beside;
  const choose = (next: string): void => {
    const tab = tabs.find((one) => one.value === next);
    if (tab) onChange(tab.value);
  };
  return (
    <Radix.Root value={chosen} onValueChange={choose} activationMode="manual">
      {narrow ? <TabMenu {...props} /> : <TabRow {...props} pageBeside={pageBeside} />}
      <Radix.Content value={chosen} className={styles.panel} {...(page && regionOf(page))}>
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}

/** The content's role where no tab leads to it: a region, which takes no focus. */
const regionOf = ({ label }: { label: string }) => ({
  role: 'region',
  'aria-label': label,
  'aria-labelledby': undefined,
  tabIndex: undefined,
});

function TabMenu<V extends string>({
  label,
  value,
  tabs,
  beside,
  help,
  onChange,
}: TabsProps<V>): ReactNode {
  const options = [
    ...tabs.map(withCount),
    ...(beside?.pages.map((page) => ({ ...page, group: beside.label })) ?? []),
  ];
  return (
    <div className={styles.menu}>
      <Select label={label} value={value} options={options} onChange={onChange} />
      {help}
    </div>
  );
}

interface TabRowProps<V extends string> extends TabsProps<V> {
  pageBeside: { value: V } | undefined;
}

function TabRow<V extends string>({
  label,
  value,
  tabs,
  beside,
  help,
  onChange,
  pageBeside,
}: TabRowProps<V>): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`[data-tab="${value}"]`);
    if (tab) showWhole(list.current, tab);
  }, [value]);
  /** Radix gives a pressed tab the focus by script, which browsers take for the keyboard's: a box would be drawn around it. */
  const press = (event: MouseEvent, next: V): void => {
    event.stopPropagation();
    if (event.button === 0 && !event.ctrlKey) onChange(next);
  };
  return (
    <div className={styles.row}>
      <Radix.List
        ref={list}
        aria-label={label}
        className={styles.list}
        onKeyDownCapture={drawFocus}
        onPointerDownCapture={hideFocus}
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            data-tab={tab.value}
            // Radix names a panel for every tab, but only the chosen one's exists.
            {...(tab.value === value ? {} : { 'aria-controls': undefined })}
            className={classes(styles.tab)}
            onMouseDownCapture={(event) => press(event, tab.value)}
          >
            {tab.label}
            {tab.count ? (
              <span className={styles.count}>
                <span aria-hidden="true">{tab.count.n}</span>
                <span className="visually-hidden">{tab.count.words}</span>
              </span>
            ) : null}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {help ? <span className={styles.help}>{help}</span> : null}
      {beside && beside.pages.length > 0 ? (
        <Link
          to={beside.to}
          aria-current={pageBeside ? 'true' : undefined}
          data-state={pageBeside ? 'active' : undefined}
          className={classes(styles.tab, styles.beside)}
        >
          {beside.icon}
          {beside.label}
        </Link>
      ) : null}
    </div>
  );
}

/** Arrow keys after a press move the focus by script, which browsers don't draw: they remember the press. */
const drawFocus = ({ currentTarget }: KeyboardEvent<HTMLElement>): void => {
  currentTarget.dataset.keyboard = '';
};
const hideFocus = ({ currentTarget }: PointerEvent<HTMLElement>): void => {
  delete currentTarget.dataset.keyboard;
};

/** In a menu there is only text. */
function withCount<V extends string>({
  value,
  label,
  count,
}: TabsProps<V>['tabs'][number]): { value: V; label: string } {
  return { value, label: count ? `${label} (${count.n})` : label };
}

/** Scrolls the row alone, never the page. */
function showWhole(list: HTMLElement | null, tab: HTMLElement): void {
  if (!list) return;
  const { left, right } = tab.getBoundingClientRect();
  const view = list.getBoundingClientRect();
  if (left < view.left) list.scrollLeft -= view.left - left + NEXT_SHOWN;
  else if (right > view.right) list.scrollLeft += right - view.right + NEXT_SHOWN;
}

/** So much of the next tab is seen, in pixels: there is more. */
const NEXT_SHOWN = 32;
