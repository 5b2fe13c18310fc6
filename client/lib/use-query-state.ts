import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** Browsers slow down a page that changes its address at every key. */
const WRITTEN_AFTER_MS = 200;

/** The searches that were written over a location and are not rendered yet: another part of the page must not undo them. */
const writtenOver = new WeakMap<object, readonly string[]>();

export type QueryValues = Readonly<Record<string, string>>;

interface ChangeOptions {
  /** Not the reader's own change: never a step in the history. */
  isAutomatic?: boolean;
}

/**
 * Texts that the address keeps. They change here at once and are written there together, a moment later: typing
 * never waits for the router, and two quick changes do not overwrite each other. Going back brings them back.
 * @param names a constant: the parameters, each left out of the address while it is empty
 * @param isStep whether a change is a step in the history, to which Back returns. By default no change is.
 */
export function useQueryState(
  names: readonly string[],
  isStep: (before: QueryValues, after: QueryValues) => boolean = () => false,
): [QueryValues, (change: QueryValues, options?: ChangeOptions) => void] {
  const location = useLocation();
  const navigate = useNavigate();
  const [page] = useState(() => window.location.pathname);
  const [values, setValues] = useState(() => read(textIn(location, names)));
  /** The address's values, including a pending write. */
  const known = useRef(textIn(location, names));
  /** The search that was written and is not rendered yet. */
  const onItsWay = useRef<string | null>(null);
  const rendered = useRef(location);
  const isAutomatic = useRef(false);
  const isStepFrom = useEffectEvent(
    (before: string) => !isAutomatic.current && isStep(read(before), values),
  );
  // Layout effects: a reader who leaves and comes back at once must not get the previous page's pending write.
  useLayoutEffect(() => {
    const writes = writtenOver.get(rendered.current) ?? [];
    const at = writes.indexOf(location.search || '?');
    const later = at < 0 ? [] : writes.slice(at + 1);
    rendered.current = location;
    // The router may render another part's write first.
    if (later.length > 0) writtenOver.set(location, later);
    if (onItsWay.current !== null && later.includes(onItsWay.current)) return;
    onItsWay.current = null;
    const inAddress = textIn(location, names);
    if (known.current === inAddress) return;
    known.current = inAddress;
    setValues(read(inAddress));
  }, [location, names]);
  useLayoutEffect(() => {
    const wanted = only(new URLSearchParams(values), names);
    if (wanted === known.current) return;
    const search = (): string => {
      const before = writtenOver.get(location)?.at(-1) ?? location.search;
      return `?${merged(new URLSearchParams(before), wanted, names)}`;
    };
    const isOwnStep = isStepFrom(known.current);
    const write = () => {
      // The reader is on the way to another page, whose code may take a while: this must not call them back.
      if (window.location.pathname !== page) return;
      known.current = wanted;
      const address = search();
      onItsWay.current = address;
      writtenOver.set(location, [...(writtenOver.get(location) ?? []), address]);
      void navigate(address, { replace: !isOwnStep });
    };
    // A press may navigate before the write: going back then finds the choice, and before it the step from which it was made.
    const keepForReturn = () => {
      if (isOwnStep && onItsWay.current === null) write();
      else if (window.location.pathname === page)
        window.history.replaceState(window.history.state, '', search());
    };
    document.addEventListener('click', keepForReturn, { capture: true });
    // One after another: while the router draws slowly, one that arrives after the next was written would pass for a new address.
    const timer = onItsWay.current !== null ? undefined : setTimeout(write, WRITTEN_AFTER_MS);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('click', keepForReturn, { capture: true });
    };
  }, [values, names, location, navigate, page]);
  const change = (next: QueryValues, options: ChangeOptions = {}): void => {
    isAutomatic.current = options.isAutomatic === true;
    setValues((before) => ({ ...before, ...next }));
  };
  return [values, change];
}

const read = (text: string): QueryValues => Object.fromEntries(new URLSearchParams(text));

const textIn = ({ search }: { search: string }, names: readonly string[]): string =>
  only(new URLSearchParams(search), names);

/** The named parameters that are not empty, in the order of the names. */
function only(params: URLSearchParams, names: readonly string[]): string {
  const kept = names.map((name) => [name, params.get(name) ?? '']).filter(([, value]) => value);
  return new URLSearchParams(kept).toString();
}

function merged(
  before: URLSearchParams,
  wanted: string,
  names: readonly string[],
): URLSearchParams {
  const others = [...before].filter(([name]) => !names.includes(name));
  return new URLSearchParams([...others, ...new URLSearchParams(wanted)]);
}

export interface Sort {
  id: string;
  desc: boolean;
}

/** A sort as the address keeps it: `character`, or `-character` for the last first. One that is unknown is the usual. */
export function readSort(text: string, columns: readonly string[], usual: Sort): Sort {
  const desc = text.startsWith('-');
  const id = columns.find((column) => column === (desc ? text.slice(1) : text));
  return id ? { id, desc } : usual;
}

export function writeSort({ id, desc }: Sort, usual: Sort): string {
  if (id === usual.id && desc === usual.desc) return '';
  return desc ? `-${id}` : id;
}
