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
