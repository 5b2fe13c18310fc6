import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useFollowPointer } from './follow-pointer.ts';

const calls: string[] = [];
const clicked = vi.fn();

/** Drags of two parts of the page; a drag is one that moved. */
function Handle({ name }: { name: string }): ReactNode {
  const follow = useFollowPointer<{ isMoved: boolean }>({
    onMove: (drag, { clientX }) => {
      drag.isMoved = true;
      calls.push(`${name} ${clientX}`);
    },
    onRelease: ({ isMoved }) => {
      calls.push(`${name} up`);
      return isMoved;
    },
    onCancel: () => calls.push(`${name} cancelled`),
  });
  return (
    <button
      type="button"
      onPointerDown={(event) => follow(event, { isMoved: false })}
      onClick={clicked}
    >
      {name}
    </button>
  );
}

const finger = { pointerId: 1, pointerType: 'touch', isPrimary: true, buttons: 1 };
const second = { ...finger, pointerId: 2, isPrimary: false };
const mouse = { ...finger, pointerId: 3, pointerType: 'mouse' };
const press = (name: string, pointer: object): boolean =>
  fireEvent.pointerDown(screen.getByRole('button', { name }), pointer);
const moveTo = (clientX: number, pointer: object): boolean =>
  fireEvent.pointerMove(document, { ...pointer, clientX });
const release = (pointer: object): boolean => fireEvent.pointerUp(document, pointer);

let unmount = (): void => {};
beforeEach(() => {
  calls.length = 0;
  clicked.mockClear();
  ({ unmount } = render(
    <>
      <Handle name="one" />
      <Handle name="two" />
    </>,
  ));
});

test.each([
  ['a second finger', second],
  ['a mouse', mouse],
])('%s neither moves, ends, cancels nor doubles a finger’s drag', (_, other) => {
  press('one', finger);
  moveTo(10, finger);
  for (const name of ['one', 'two']) {
    press(name, other);
    moveTo(50, other);
    fireEvent.pointerCancel(document, other);
    release(other);
  }
  moveTo(20, finger);
  release(finger);
  moveTo(30, finger);
  expect(calls).toEqual(['one 10', 'one 20', 'one up']);
});

test('the next press drags, also after a release that the page missed', () => {
  press('one', finger);
  release(finger);
  press('two', mouse);
  moveTo(10, { ...mouse, buttons: 0 });
  press('two', finger);
  press('one', { ...finger, pointerId: 4 });
  release({ ...finger, pointerId: 4 });
  expect(calls).toEqual(['one up', 'two cancelled', 'two cancelled', 'one up']);
});

test('Escape, the browser and unmounting cancel a drag', () => {
  press('one', finger);
  fireEvent.keyDown(document, { key: 'Escape' });
  press('one', finger);
  fireEvent.pointerCancel(document, finger);
  press('one', finger);
  act(unmount);
  release(finger);
  expect(calls).toEqual(['one cancelled', 'one cancelled', 'one cancelled']);
});

test('the click after a drag is swallowed, that of a press is not', async () => {
  const { click } = fireEvent;
  press('one', finger);
  moveTo(10, finger);
  release(finger);
  click(screen.getByRole('button', { name: 'one' }));
  expect(clicked).not.toHaveBeenCalled();
  press('two', finger);
  release(finger);
  click(screen.getByRole('button', { name: 'two' }));
  expect(clicked).toHaveBeenCalledOnce();
  press('one', finger);
  moveTo(10, finger);
  release(finger);
  // It ended on another element: no click followed.
  await new Promise((resolve) => setTimeout(resolve));
  click(screen.getByRole('button', { name: 'two' }));
  expect(clicked).toHaveBeenCalledTimes(2);
});
