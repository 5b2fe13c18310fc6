import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { typeLook } from '../type-look.ts';
import { HourStrip, type StripBar } from './hour-strip.tsx';

const bar = (hour_start: number, hour_end: number, more: Partial<StripBar> = {}): StripBar => ({
  key: hour_start,
  hour_start,
  hour_end,
  ...more,
});
const nameOf = (bars: StripBar[]): string | null => {
  render(<HourStrip bars={bars} label="Sat 21 Nov" />);
  return screen.getByRole('img').getAttribute('aria-label');
};

test('a free day says so', () => {
  expect(nameOf([])).toBe('Sat 21 Nov. Free all day.');
});

test('lists taken and free hours in order', () => {
  expect(nameOf([bar(10, 14), bar(2, 6)])).toBe(
    'Sat 21 Nov. Taken: SS+2 to SS+6, SS+10 to SS+14. Free: SS+0 to SS+2, SS+6 to SS+10, SS+14 to SS+24.',
  );
});

test('a full day has no free hours', () => {
  expect(nameOf([bar(0, 24)])).toBe('Sat 21 Nov. Taken: SS+0 to SS+24. No free hours.');
});

test('secondary claims and choosers don’t occupy hours', () => {
  expect(nameOf([bar(4, 8, { kind: 'waiting' }), bar(10, 12, { kind: 'choosing' })])).toBe(
    'Sat 21 Nov. Free all day.',
  );
});

test('the word "now" has its own lane and hides no number', () => {
  render(<HourStrip bars={[]} label="Today" now={12.5} />);
  expect(screen.getByText('now')).toBeTruthy();
  expect(screen.getByText('12')).toBeTruthy();
  expect(screen.getByText('18')).toBeTruthy();
});

test('a bar of two hours or more has its type’s letter; a shorter or secondary one has none', () => {
  const look = typeLook('elite', '#805ad5');
  const { container } = render(
    <HourStrip
      bars={[
        bar(2, 4, { look }),
        bar(6, 7, { look }),
        bar(8, 12, { look, kind: 'waiting' }),
        bar(12, 16, { look, kind: 'held' }),
      ]}
    />,
  );
  const letters = [...container.querySelectorAll('[style*="width"]')].map((one) =>
    one.getAttribute('data-letter'),
  );
  expect(letters).toEqual(['E', null, null, 'E']);
});

test('where now runs through a bar, the letter stands in its longer part', () => {
  const look = typeLook('elite', '#805ad5');
  const { container } = render(
    <HourStrip
      bars={[bar(0, 6, { look }), bar(12, 18, { look }), bar(18, 24, { look })]}
      now={13}
    />,
  );
  const paddings = (now: number): string[] => {
    const { container } = render(<HourStrip bars={[bar(12, 18, { look })]} now={now} />);
    const [shown] = container.querySelectorAll<HTMLElement>('[data-letter]');
    return [shown?.style.paddingLeft ?? '', shown?.style.paddingRight ?? ''];
  };
  expect(container.querySelectorAll('[style*="padding"]')).toHaveLength(1);
  expect(paddings(13)).toEqual(['4.167%', '']);
  expect(paddings(17)).toEqual(['', '4.167%']);
});

test('a small strip writes letters only on bars of four hours or more', () => {
  const look = typeLook('elite', '#805ad5');
  const { container } = render(
    <HourStrip small bars={[bar(2, 5, { look }), bar(8, 12, { look })]} />,
  );
  expect(container.querySelectorAll('[data-letter]')).toHaveLength(1);
});

test.each([
  [[], 'Today. Free: SS+12 to SS+24.'],
  [[bar(2, 6)], 'Today. Free: SS+12 to SS+24.'],
  [[bar(10, 14)], 'Today. Taken: SS+12 to SS+14. Free: SS+14 to SS+24.'],
  [[bar(12, 24)], 'Today. Taken: SS+12 to SS+24. No free hours.'],
])('past hours are not offered: %j', (bars, name) => {
  render(<HourStrip bars={bars} label="Today" now={12.5} />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(name);
});
