import { fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { HourEnds, HourRangeInput } from './hour-range.tsx';
import { LocalTimeContext } from './hours-text.tsx';

const HOUR = 10;
const limits = { voucher: 6, taken: [{ hour_start: 19, hour_end: 22 }], over: 2 };
const changes: string[] = [];

function Range({ disabled = false, look }: { disabled?: boolean; look?: 'across' }): ReactNode {
  const [hours, setHours] = useState<HourRange>({ hour_start: 14, hour_end: 16 });
  const props = {
    date: '2026-11-21',
    hours,
    limits,
    disabled,
    onChange: (next: HourRange) => {
      changes.push(`${next.hour_start} to ${next.hour_end}`);
      setHours(next);
    },
  };
  return (
    <LocalTimeContext value={(_, hour) => `${hour}:00`}>
      {look ? (
        <HourEnds {...props} look={look} labels={{ hour_start: 'Start', hour_end: 'End' }} />
      ) : (
        <HourRangeInput {...props} taken={limits.taken} />
      )}
    </LocalTimeContext>
  );
}

beforeEach(() => {
  changes.length = 0;
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(
    new DOMRect(0, 0, 24 * HOUR, 44),
  );
});
afterEach(() => vi.restoreAllMocks());

const mouse = { pointerId: 1, pointerType: 'mouse', isPrimary: true, button: 0, buttons: 1 };
const finger = { ...mouse, pointerId: 2, pointerType: 'touch', isPrimary: false };
const at = (hour: number, pointer = mouse): object => ({
  ...pointer,
  clientX: (hour + 0.5) * HOUR,
});
const edge = (name: string): HTMLElement => screen.getByRole('slider', { name });
const track = (): Element => document.querySelector('[data-track]') ?? document.body;

test('a press on the day moves the hours there, a drag moves them along, around what is taken and over', () => {
  render(<Range />);
  fireEvent.pointerDown(track(), at(8));
  fireEvent.pointerMove(document, at(9));
  fireEvent.pointerMove(document, at(0));
  fireEvent.pointerMove(document, at(18));
  fireEvent.pointerUp(document, at(18));
  fireEvent.pointerMove(document, at(12));
  // Two hours from SS+18 would reach the taken ones.
  expect(changes).toEqual(['8 to 10', '9 to 11', '2 to 4']);
});

test.each([undefined, 'across'] as const)('an end is dragged within the limits (%s)', (look) => {
  render(<Range {...(look ? { look } : {})} />);
  fireEvent.pointerDown(edge('End'), { ...mouse, clientX: 16 * HOUR + 6 });
  expect(document.activeElement).toBe(edge('End'));
  for (const hour of [17, 20, 3])
    fireEvent.pointerMove(document, { ...mouse, clientX: hour * HOUR + 6 });
  expect(changes).toEqual(['14 to 17', '14 to 19', '14 to 15']);
});

test('keys move an end by an hour, and as far as it goes', () => {
  render(<Range />);
  for (const key of ['ArrowLeft', 'ArrowDown', 'Home', 'a'])
    fireEvent.keyDown(edge('Start'), { key });
  for (const key of ['ArrowRight', 'End']) fireEvent.keyDown(edge('End'), { key });
  expect(changes).toEqual(['13 to 16', '12 to 16', '10 to 16']);
  fireEvent.keyDown(edge('Start'), { key: 'End' });
  fireEvent.keyDown(edge('End'), { key: 'ArrowUp' });
  expect(changes.slice(3)).toEqual(['15 to 16', '15 to 17']);
});

test('a second pointer moves no other end, and ends nothing', () => {
  render(<Range />);
  fireEvent.pointerDown(edge('End'), { ...mouse, clientX: 16 * HOUR });
  for (const target of [edge('Start'), track()]) {
    fireEvent.pointerDown(target, at(13, finger));
    fireEvent.pointerMove(document, at(12, finger));
    fireEvent.pointerUp(document, at(12, finger));
  }
  expect(changes).toEqual([]);
  expect(document.activeElement).toBe(edge('End'));
  fireEvent.pointerMove(document, { ...mouse, clientX: 17 * HOUR });
  expect(changes).toEqual(['14 to 17']);
});

test('disabled, it says so and nothing moves, also in the middle of a drag', () => {
  const { rerender } = render(<Range />);
  fireEvent.pointerDown(edge('End'), { ...mouse, clientX: 16 * HOUR });
  rerender(<Range disabled />);
  fireEvent.pointerMove(document, { ...mouse, clientX: 17 * HOUR });
  fireEvent.keyDown(edge('Start'), { key: 'ArrowLeft' });
  fireEvent.pointerDown(track(), { ...at(8), pointerId: 1 });
  expect(edge('Start').getAttribute('aria-disabled')).toBe('true');
  expect(changes).toEqual([]);
});
