import { expect, onTestFinished, test } from 'vitest';
import { isLocalBlocked, isTabBlocked, localStore } from './storage.ts';

/** As a browser does that blocks storage: looking at it throws. */
function blockStorage(): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    const was = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    onTestFinished(
      () =>
        void (was
          ? Object.defineProperty(globalThis, name, was)
          : Reflect.deleteProperty(globalThis, name)),
    );
  }
}
test('stores values in the browser', () => {
  localStore.setItem('theme', 'dark');
  expect([localStorage.getItem('theme'), localStore.getItem('theme'), isLocalBlocked()]).toEqual([
    'dark',
    'dark',
    false,
  ]);
  localStore.removeItem('theme');
  expect(localStorage.getItem('theme')).toBeNull();
  localStorage.clear();
});

test('where the browser blocks storage, it is in the memory of the page', () => {
  blockStorage();
  expect([isLocalBlocked(), isTabBlocked()]).toEqual([true, true]);
  expect(localStore.getItem('theme')).toBeNull();
  localStore.setItem('theme', 'dark');
  expect(localStore.getItem('theme')).toBe('dark');
  localStore.removeItem('theme');
  expect(localStore.getItem('theme')).toBeNull();
});
