import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissToasts } from '../test/dismiss-toasts.ts';
import { showToast, ToastHost } from './toast.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  dismissToasts();
  vi.useRealTimers();
});

const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));
const isShown = (): boolean => screen.queryByText('Claimed') !== null;

test('a message with an action stays for 10 s, others for 5 s', () => {
  render(<ToastHost />);
  act(() => showToast({ text: 'Claimed', action: { label: 'Undo', onPress: () => {} } }));
  pass(9_900);
  expect(isShown()).toBe(true);
  pass(200);
  expect(isShown()).toBe(false);
  act(() => showToast({ text: 'Claimed' }));
  pass(5_100);
  expect(isShown()).toBe(false);
});

test('an action that leaves the message in place keeps the others within reach', () => {
  const onUndo = vi.fn();
  render(<ToastHost />);
  act(() => {
    const actions = [
      { label: 'Copy', stays: true, onPress: () => {} },
      { label: 'Undo', onPress: onUndo },
    ];
    showToast({ text: 'Claimed', actions });
  });
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(onUndo).toHaveBeenCalledOnce();
  expect(isShown()).toBe(false);
});

const texts = (): string[] =>
  screen.queryAllByText(/Claimed|Saved|failed/).map(({ textContent }) => textContent ?? '');
const inView = (): string[] =>
  screen
    .queryAllByRole('button', { name: 'Dismiss' })
    .map(({ parentElement }) => parentElement?.textContent ?? '');

test('a failure is assertive and stays until it is dismissed, other messages are polite', () => {
  render(<ToastHost />);
  act(() => {
    showToast({ text: 'Saved' });
    showToast({ tone: 'bad', text: 'Copying failed' });
  });
  const live = (text: string): string | null | undefined =>
    screen.getByText(text).closest('[aria-live]')?.getAttribute('aria-live');
  expect([live('Saved'), live('Copying failed')]).toEqual(['polite', 'assertive']);
  pass(600_000);
  expect(texts()).toEqual(['Copying failed']);
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(texts()).toEqual([]);
});

test('alike messages are one with a number', () => {
  render(<ToastHost />);
  act(() => {
    for (let i = 0; i < 3; i += 1) showToast({ tone: 'bad', text: 'Saving failed' });
  });
  expect(inView()).toEqual(['Saving failed×3']);
});

test('one message of a kind is visible: a passing one replaces the previous one, failures return', () => {
  render(<ToastHost />);
  act(() => {
    showToast({ text: 'Claimed' });
    showToast({ text: 'Saved' });
    showToast({ tone: 'bad', text: 'Copying failed' });
    showToast({ tone: 'bad', text: 'Moving failed' });
  });
  expect(inView()).toEqual(['Saved', 'Moving failed1 more']);
  // Screen readers get those behind, too.
  expect(texts()).toEqual(['Saved', 'Copying failed', 'Moving failed']);
  for (const dismiss of screen.getAllByRole('button', { name: 'Dismiss' }))
    fireEvent.click(dismiss);
  expect(inView()).toEqual(['Copying failed']);
});

test('an Undo is not lost behind the next message, and its time continues there', () => {
  const onUndo = vi.fn();
  render(<ToastHost />);
  const claim = (text: string, onPress = (): void => {}): void =>
    act(() => showToast({ text, action: { label: 'Undo', onPress } }));
  claim('Claimed A', onUndo);
  pass(4_000);
  claim('Claimed B');
  expect(inView()).toEqual(['Claimed B1 moreUndo']);
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(onUndo).toHaveBeenCalledOnce();
  claim('Claimed A');
  pass(4_000);
  claim('Claimed B');
  pass(7_000);
  expect(texts()).toEqual(['Claimed B']);
});

test('dismissing hands the focus on', () => {
  render(
    <>
      <main tabIndex={-1} />
      <ToastHost />
    </>,
  );
  act(() => showToast({ text: 'Claimed' }));
  screen.getByRole('button', { name: 'Dismiss' }).focus();
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(document.activeElement).toBe(screen.getByRole('main'));
});
