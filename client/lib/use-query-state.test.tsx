import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { memo, type ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { useQueryState } from './use-query-state.ts';

const NAMES = ['search', 'show'];
const shown: string[] = [];

function Filters(): ReactNode {
  const [{ search = '', show = '' }, change] = useQueryState(NAMES);
  shown.push(search);
  return (
    <>
      <input aria-label="search" value={search} onChange={(event) => change({ search: event.target.value })} />
      <output aria-label="show">{show}</output>
    </>
  );
}
const Slow = memo(function Slow({ search }: { search: string }): ReactNode {
  const until = performance.now() + (search ? 5 : 0);
  while (performance.now() < until);
  return search;
});
function Page(): ReactNode {
  const { search } = useLocation();
  return (
    <>
      <Filters />
      <output aria-label="address">{search}</output>
      {Array.from({ length: 100 }, (_, index) => <Slow key={index} search={search} />)}
    </>
  );
}
test('exp', async () => {
  render(<MemoryRouter><Page /></MemoryRouter>);
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  const type = (v: string) => { shown.push(`[${v}]`); const el = screen.getByLabelText<HTMLInputElement>('search'); Object.getOwnPropertyDescriptor(HTMLInputElement.prototype,'value')!.set!.call(el, v); el.dispatchEvent(new Event('input', { bubbles: true })); };
  const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
  type('a'); await sleep(300); type('ab'); 
  for (let i = 0; i < 40; i++) { await sleep(50); shown.push('.' + screen.getByLabelText('address').textContent); }
  console.log(shown.join(' '));
});
