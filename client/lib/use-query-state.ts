import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

/** Browsers slow down a page that changes its address at every key. */
const WRITTEN_AFTER_MS = 200;

export type QueryValues = Readonly<Record<string, string>>;

/**
 * Texts that the address keeps. They change here at once and are written there together, a moment later: typing
 * never waits for the router, and two quick changes do not overwrite each other. Going back brings them back.
 * @param names a constant: the parameters, each left out of the address while it is empty
 */
export function useQueryState(names: readonly string[]): [QueryValues, (change: QueryValues) => void] {
  const [params, setParams] = useSearchParams();
  const inAddress = only(params, names);
  const [values, setValues] = useState(() => read(inAddress));
  const known = useRef(inAddress);
  useEffect(() => {
    if (known.current === inAddress) return;
    known.current = inAddress;
    setValues(read(inAddress));
  }, [inAddress]);
  useEffect(() => {
    const wanted = only(new URLSearchParams(values), names);
    if (wanted === known.current) return;
    const timer = setTimeout(() => {
      known.current = wanted;
      setParams((before) => merged(before, wanted, names), { replace: true });
    }, WRITTEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [values, names, setParams]);
  return [values, (change) => setValues((before) => ({ ...before, ...change }))];
}

const read = (text: string): QueryValues => Object.fromEntries(new URLSearchParams(text));

/** The named parameters that are not empty, in the order of the names. */
function only(params: URLSearchParams, names: readonly string[]): string {
  const kept = names.map((name) => [name, params.get(name) ?? '']).filter(([, value]) => value);
  return new URLSearchParams(kept).toString();
}

function merged(before: URLSearchParams, wanted: string, names: readonly string[]): URLSearchParams {
  const others = [...before].filter(([name]) => !names.includes(name));
  return new URLSearchParams([...others, ...new URLSearchParams(wanted)]);
}
