import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Sort } from '../../lib/use-query-state.ts';
import { inNameOrder } from '../../lib/words/order.ts';
import { type DataColumn, DataTable } from './data-table.tsx';

interface Spot {
  id: number;
  name: string;
}
const spots = (count: number): Spot[] =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, name: `Spot ${at + 1}` }));

const columns: DataColumn<Spot>[] = [
  {
    id: 'name',
    heading: 'Name',
    part: 'title',
    sortBy: (spot) => spot.name,
    cell: (spot) => spot.name,
  },
  {
    id: 'actions',
    heading: 'Actions',
    part: 'actions',
    cell: (spot) => <button type="button">Edit {spot.id}</button>,
  },
];
const idOf = (spot: Spot): string => String(spot.id);

let change: (records: Spot[]) => void = () => {};
function Table({
  first,
  keep,
  below,
}: {
  first: Spot[];
  keep?: string;
  below?: (spot: Spot) => ReactNode;
}): ReactNode {
  const [records, setRecords] = useState(first);
  const [sort, setSort] = useState<Sort | null>(null);
  change = (next) => act(() => setRecords(next));
  return (
    <section tabIndex={-1} aria-label="List">
      {records.length > 0 ? (
        <DataTable
          caption="Spots"
          columns={columns}
          records={records}
          idOf={idOf}
          sort={sort}
          onSort={setSort}
          keep={keep}
          below={below}
          sortLabel="Sort by"
        />
      ) : null}
    </section>
  );
}

/** Rows are 44 pixels high where nothing is laid out. */
const scrollTo = (row: number): void =>
  act(() => {
    window.scrollTo(0, 44 * row);
    window.dispatchEvent(new Event('scroll'));
  });
afterEach(() => window.scrollTo(0, 0));

const rowsThere = (): HTMLElement[] => screen.getAllByRole('row').slice(1);
const edit = (id: number): HTMLElement => screen.getByRole('button', { name: `Edit ${id}` });

test('of ten thousand rows, only those in view are rendered, each with its position in the table', () => {
  render(<Table first={spots(10_000)} />);
  expect(rowsThere().length).toBeGreaterThan(10);
  expect(rowsThere().length).toBeLessThan(100);
  expect(screen.getByRole('table', { name: 'Spots' }).getAttribute('aria-rowcount')).toBe('10001');
  expect(rowsThere()[0]?.getAttribute('aria-rowindex')).toBe('2');
  expect(rowsThere()[0]?.textContent).toContain('Spot 1');
});

test('scrolling brings other rows, as many as before', () => {
  render(<Table first={spots(10_000)} />);
  scrollTo(5_000);
  const indexes = rowsThere().map((row) => Number(row.getAttribute('aria-rowindex')));
  expect(indexes).toContain(5_000);
  expect(indexes.length).toBeLessThan(100);
});

test('the edited row and the focused row stay rendered at any scroll position', async () => {
  render(<Table first={spots(10_000)} keep="9000" />);
  expect(edit(9000)).toBeTruthy();
  act(() => edit(3).focus());
  scrollTo(5_000);
  expect(edit(9000)).toBeTruthy();
  expect(document.activeElement).toBe(edit(3));
  expect(screen.queryByRole('button', { name: 'Edit 2' })).toBeNull();
});

test('sorting ten thousand rows shows the first of the new order', async () => {
  render(<Table first={spots(10_000)} />);
  await userEvent.click(screen.getByRole('button', { name: /Name/ }));
  await userEvent.click(screen.getByRole('button', { name: /Name/ }));
  expect(rowsThere()[0]?.textContent).toContain('Spot 10000');
});

test('names are in the order of every other list: accents and case aside, numbers by size, and the browser has no say', async () => {
  const names = ['Łowisko', 'Ingol -10', 'Zao', 'Ingol –3', 'ágata', 'Ingol -2', 'Lion'];
  render(<Table first={names.map((name, at) => ({ id: at + 1, name }))} />);
  const sorted = inNameOrder(names, (name) => name);
  expect(sorted).toEqual(['ágata', 'Ingol -2', 'Ingol –3', 'Ingol -10', 'Lion', 'Łowisko', 'Zao']);
  const firstCells = (): (string | null | undefined)[] =>
    rowsThere().map((row) => row.querySelector('td')?.textContent);
  await userEvent.click(screen.getByRole('button', { name: /Name/ }));
  expect(firstCells()).toEqual(sorted);
  await userEvent.click(screen.getByRole('button', { name: /Name/ }));
  expect(firstCells()).toEqual(sorted.reverse());
});

test('numbers sort by size, equal values keep their order both ways, an unknown column changes nothing', () => {
  const records = [10, 9, 100, 9].map((size, at) => ({ id: at + 1, name: `${size}`, size }));
  const bySize = { id: 'size', heading: 'Size', sortBy: ({ size }: { size: number }) => size };
  const idsSortedBy = (sort: Sort | null): (string | undefined)[] => {
    const { unmount } = render(
      <DataTable caption="Spots" columns={[...columns, bySize]} {...{ records, idOf, sort }} />,
    );
    const ids = rowsThere().map((row) => row.closest('tbody')?.dataset.row);
    unmount();
    return ids;
  };
  expect(idsSortedBy({ id: 'size', desc: false })).toEqual(['2', '4', '1', '3']);
  expect(idsSortedBy({ id: 'size', desc: true })).toEqual(['3', '1', '2', '4']);
  expect(idsSortedBy({ id: 'actions', desc: true })).toEqual(['1', '2', '3', '4']);
  expect(idsSortedBy(null)).toEqual(['1', '2', '3', '4']);
});

test('a heading says how its column is sorted', async () => {
  render(<Table first={spots(2)} />);
  const heading = screen.getByRole('columnheader', { name: 'Name' });
  expect(heading.getAttribute('aria-sort')).toBe('none');
  await userEvent.click(within(heading).getByRole('button'));
  expect(heading.getAttribute('aria-sort')).toBe('ascending');
  await userEvent.click(within(heading).getByRole('button'));
  expect(heading.getAttribute('aria-sort')).toBe('descending');
});

test('up to a hundred rows are simply there', () => {
  render(<Table first={spots(100)} />);
  expect(rowsThere()).toHaveLength(100);
  expect(screen.getByRole('table').hasAttribute('aria-rowcount')).toBe(false);
});

test('a new row keeps the existing ones and the focus', () => {
  render(<Table first={spots(100)} />);
  const button = edit(3);
  act(() => button.focus());
  change(spots(101));
  expect(edit(3)).toBe(button);
  expect(document.activeElement).toBe(button);
});

test('a row inserted above the focused one leaves the focus', () => {
  render(<Table first={spots(3)} />);
  act(() => edit(2).focus());
  change([{ id: 9, name: 'Spot 9' }, ...spots(3)]);
  expect(document.activeElement).toBe(edit(2));
});

test('when the focused row is removed, the row in its place gets the focus, and none of its buttons', () => {
  render(<Table first={spots(3)} />);
  act(() => edit(2).focus());
  change(spots(3).filter(({ id }) => id !== 2));
  expect(document.activeElement?.textContent).toContain('Spot 3');
  expect(document.activeElement?.tagName).toBe('TR');
});

test('when the focused last row is removed, the one before it gets the focus; in an empty table, its container', () => {
  render(<Table first={spots(2)} />);
  act(() => edit(2).focus());
  change(spots(1));
  expect(document.activeElement?.textContent).toContain('Spot 1');
  change([]);
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'List' }));
});

test('a removed row does not take focus from elsewhere', () => {
  render(<Table first={spots(3)} />);
  act(() => edit(2).focus());
  act(() => screen.getByRole('button', { name: /Name/ }).focus());
  change(spots(1));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /Name/ }));
});

test('messages about a row are shown below it', () => {
  render(<Table first={spots(3)} below={({ id }) => (id === 2 ? <p>Not stored</p> : null)} />);
  const [, second, note] = rowsThere();
  expect(second?.textContent).toContain('Spot 2');
  expect(within(note ?? document.body).getByText('Not stored')).toBeTruthy();
});

describe('the columns of a short table', () => {
  const widthsNow = (): string[] =>
    [...document.querySelectorAll('col')].map((col) => col.style.width);
  /** The layout that a browser would make of the rendered rows. */
  const fitted = (name: number, actions: number): void => {
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function box(
      this: Element,
    ) {
      return new DOMRect(
        0,
        0,
        this.tagName === 'TH' ? (this.textContent?.includes('Name') ? name : actions) : 1000,
        44,
      );
    });
  };
  afterEach(() => vi.restoreAllMocks());

  test('keep their width when rows are added, removed or sorted', async () => {
    fitted(600, 200);
    render(<Table first={spots(5)} />);
    expect(widthsNow()).toEqual(['75%', '25%']);
    fitted(100, 700);
    change([{ id: 9, name: 'A very long name of a spot' }, ...spots(5)]);
    expect(widthsNow()).toEqual(['75%', '25%']);
    change(spots(1));
    await userEvent.click(screen.getByRole('button', { name: /Name/ }));
    expect(widthsNow()).toEqual(['75%', '25%']);
  });

  test('fit the rows again after the table was empty', () => {
    fitted(600, 200);
    render(<Table first={spots(5)} />);
    change([]);
    fitted(400, 400);
    change(spots(3));
    expect(widthsNow()).toEqual(['50%', '50%']);
  });
});
