import { act, fireEvent, render, screen } from '@testing-library/react';
import { lazy, memo, type ReactNode, Suspense, useLayoutEffect } from 'react';
import {
  BrowserRouter,
  Link,
  MemoryRouter,
  Route,
  Routes,
  useLocation,
  useNavigate,
} from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type QueryValues, useQueryState } from './use-query-state.ts';

const NAMES = ['search', 'show'];
const CHANGES = {
  storm: { search: 'storm' },
  claimed: { show: 'claimed' },
  free: { show: 'free' },
};
/** The values that the page rendered, in order. */
let drawn: string[] = [];

beforeEach(() => {
  drawn = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

function Filters(): ReactNode {
  const [{ search = '', show = '' }, change] = useQueryState(NAMES);
  const now = `${search} ${show}`;
  if (drawn.at(-1) !== now) drawn.push(now);
  return Object.entries(CHANGES).map(([name, values]) => (
    <button key={name} type="button" onClick={() => change(values)}>
      {name}
    </button>
  ));
}

function Address(): ReactNode {
  return <output aria-label="address">{useLocation().search}</output>;
}
const address = (): string | null => screen.getByLabelText('address').textContent;

const VIEW = ['view'];
/** Another part of the page, with a parameter of its own. */
function View(): ReactNode {
  const [{ view = '' }, change] = useQueryState(VIEW);
  return (
    <button type="button" onClick={() => change({ view: 'past' })}>
      view {view}
    </button>
  );
}

test('two parts of a page that change at the same time both keep their values in the address', () => {
  vi.useFakeTimers();
  render(
    <MemoryRouter>
      <View />
      <Filters />
      <Address />
    </MemoryRouter>,
  );
  fireEvent.click(screen.getByText('view'));
  fireEvent.click(screen.getByText('storm'));
  act(() => void vi.advanceTimersByTime(200));
  expect(address()).toBe('?view=past&search=storm');
  act(() => void vi.advanceTimersByTime(1_000));
  expect(address()).toBe('?view=past&search=storm');
  expect(drawn.at(-1)).toBe('storm ');
});

describe('the address', () => {
  function Links(): ReactNode {
    const navigate = useNavigate();
    return (
      <>
        <Link to="?show=free&other=1">link</Link>
        <button type="button" onClick={() => void navigate(-1)}>
          back
        </button>
      </>
    );
  }
  const press = (text: string): void => void fireEvent.click(screen.getByText(text));
  const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));
  beforeEach(() => {
    vi.useFakeTimers();
    render(
      <MemoryRouter initialEntries={['/?other=1']}>
        <Filters />
        <Links />
        <Address />
      </MemoryRouter>,
    );
  });

  test('merges two quick changes, and keeps the other parameters', () => {
    press('storm');
    press('claimed');
    pass(199);
    expect(address()).toBe('?other=1');
    pass(1);
    expect(address()).toBe('?other=1&search=storm&show=claimed');
    expect(drawn.at(-1)).toBe('storm claimed');
  });

  test('is followed by a link and by going back, and written again after it', () => {
    press('storm');
    pass(200);
    press('link');
    expect(drawn.at(-1)).toBe(' free');
    press('back');
    expect(drawn.at(-1)).toBe('storm ');
    press('claimed');
    pass(200);
    expect(address()).toBe('?other=1&search=storm&show=claimed');
  });
});

describe('a step in the history', () => {
  const DAY = ['day', 'search'];
  const isStep = (before: QueryValues, after: QueryValues): boolean => before.day !== after.day;
  const DAYS: { [label in string]: [QueryValues, { isAutomatic: boolean }?] } = {
    monday: [{ day: 'mon' }],
    tuesday: [{ day: 'tue' }],
    storm: [{ search: 'storm' }],
    midnight: [{ day: '' }, { isAutomatic: true }],
  };
  function Days(): ReactNode {
    const navigate = useNavigate();
    const [{ day = '', search = '' }, change] = useQueryState(DAY, isStep);
    return (
      <>
        <output aria-label="shown">{`${day} ${search}`.trim()}</output>
        {Object.entries(DAYS).map(([label, args]) => (
          <button key={label} type="button" onClick={() => change(...args)}>
            {label}
          </button>
        ))}
        <button type="button" onClick={() => void navigate(-1)}>
          back
        </button>
        <Link to="/?day=fri">friday</Link>
      </>
    );
  }
  const output = (): string | null => screen.getByLabelText('shown').textContent;
  const press = (text: string): void => void fireEvent.click(screen.getByText(text));
  const settle = (): void => act(() => void vi.advanceTimersByTime(200));
  beforeEach(() => {
    vi.useFakeTimers();
    render(
      <MemoryRouter initialEntries={['/elsewhere', '/?day=sun']} initialIndex={1}>
        <Days />
      </MemoryRouter>,
    );
  });

  test('is each day, and typing belongs to the step it happens in', () => {
    press('monday');
    settle();
    press('storm');
    settle();
    press('tuesday');
    settle();
    expect(output()).toBe('tue storm');
    press('back');
    expect(output()).toBe('mon storm');
    press('back');
    expect(output()).toBe('sun');
  });

  test('is a day that was chosen a moment before the next one, or before a link', () => {
    press('monday');
    press('tuesday');
    press('friday');
    expect(output()).toBe('fri');
    press('back');
    expect(output()).toBe('tue');
    press('back');
    expect(output()).toBe('mon');
    press('back');
    expect(output()).toBe('sun');
  });

  test('is not a change that the page makes without a user', () => {
    press('monday');
    settle();
    press('midnight');
    settle();
    expect(output()).toBe('');
    press('back');
    expect(output()).toBe('sun');
  });
});

describe('a router that takes longer to follow than the next choice', () => {
  const SPOTS = Array.from({ length: 100 }, (_, id) => id);
  const DRAWN_IN_MS = 5;

  /** Together they take half a second for every address; a change of the filters alone does not draw them. */
  const SlowSpot = memo(function SlowSpot({ address }: { address: string }): ReactNode {
    const until = performance.now() + (address ? DRAWN_IN_MS : 0);
    while (performance.now() < until);
    return null;
  });
  function SlowSpots(): ReactNode {
    const { search } = useLocation();
    return SPOTS.map((id) => <SlowSpot key={id} address={search} />);
  }

  /** Without `act`, so that timers and clicks run between partial renders, as in a browser. */
  const press = (text: string): void => screen.getByText(text).click();
  const until = (what: () => string | null, wanted: string): Promise<void> =>
    vi.waitFor(() => expect(what()).toBe(wanted), { timeout: 20_000, interval: 20 });

  test('does not bring an older choice back, and loses none', async () => {
    render(
      <BrowserRouter>
        <Filters />
        <Address />
        <SlowSpots />
      </BrowserRouter>,
    );
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    press('storm');
    await until(() => window.location.search, '?search=storm');
    press('claimed');
    await until(address, '?search=storm');
    press('free');
    await until(address, '?search=storm&show=free');
    expect(drawn).toEqual([' ', 'storm ', 'storm claimed', 'storm free']);
  });

  test('shows no choice of one part without the later one of another', async () => {
    render(
      <BrowserRouter>
        <View />
        <Filters />
        <Address />
        <SlowSpots />
      </BrowserRouter>,
    );
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    press('view');
    await until(() => window.location.search, '?view=past');
    press('storm');
    await until(address, '?view=past&search=storm');
    expect(drawn).toEqual([' ', 'storm ']);
  });
});

test('a choice made just before opening a slow page does not cancel the navigation, and is kept on return', async () => {
  const { promise, resolve } = Promise.withResolvers<{ default: () => ReactNode }>();
  const LatePage = lazy(() => promise);
  vi.useFakeTimers();
  render(
    <BrowserRouter>
      <Suspense>
        <Routes>
          <Route
            path="/"
            element={
              <>
                <Filters />
                <Link to="/late">leave</Link>
              </>
            }
          />
          <Route path="/late" element={<LatePage />} />
        </Routes>
      </Suspense>
    </BrowserRouter>,
  );
  fireEvent.click(screen.getByText('storm'));
  fireEvent.click(screen.getByText('leave'));
  expect(screen.getByText('storm')).toBeTruthy();
  act(() => void vi.advanceTimersByTime(200));
  await act(async () => resolve({ default: () => 'the late page' }));
  expect(window.location.pathname).toBe('/late');
  expect(screen.getByText('the late page')).toBeTruthy();
  vi.useRealTimers();
  window.history.back();
  await vi.waitFor(() => expect(screen.queryByText('the late page')).toBeNull());
  expect(window.location.search, 'what was chosen a moment before leaving').toBe('?search=storm');
});

test('a choice made just before leaving does not overwrite the address after going back quickly', () => {
  vi.useFakeTimers();
  function OtherPage(): ReactNode {
    useLayoutEffect(() => {
      window.history.pushState(null, '', '/?show=free');
      vi.advanceTimersByTime(200);
    }, []);
    return null;
  }
  render(
    <BrowserRouter>
      <Routes>
        <Route path="/" element={<Filters />} />
        <Route path="/other" element={<OtherPage />} />
      </Routes>
    </BrowserRouter>,
  );
  fireEvent.click(screen.getByText('storm'));
  act(() => {
    window.history.pushState(null, '', '/other');
    window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
  });
  expect(screen.queryByText('storm')).toBeNull();
  expect(window.location.search).toBe('?show=free');
});
