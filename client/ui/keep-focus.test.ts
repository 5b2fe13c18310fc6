import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocus } from './keep-focus.ts';

let stop: () => void;
beforeEach(() => {
  document.body.innerHTML = `
    <main tabindex="-1"><section tabindex="-1"><ul><li><button id="a">A</button></li><li><button id="b">B</button></li></ul></section></main>
    <div id="portal"><button id="c">C</button></div>`;
  stop = keepFocus();
});
afterEach(() => {
  stop();
  document.body.innerHTML = '';
});

const element = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
};
const nextTask = (): Promise<void> => new Promise((done) => setTimeout(done, 5));

test.each([
  ['a line of a list', '#a', 'li', 'section'],
  ['all that is around it', '#a', 'section', 'main'],
  ['an overlay outside the page', '#c', '#portal', 'main'],
])(
  'the nearest focusable element takes the focus: %s is removed',
  async (_, focused, removed, taker) => {
    element(focused).focus();
    element(removed).remove();
    await vi.waitFor(() => expect(document.activeElement).toBe(element(taker)));
  },
);

test('the code that removes it may choose another one', async () => {
  element('#a').focus();
  element('li').remove();
  element('#b').focus();
  await nextTask();
  expect(document.activeElement).toBe(element('#b'));
});

test('a person who left the element keeps what they chose when it is removed', async () => {
  element('#a').focus();
  element('#a').blur();
  await nextTask();
  element('li').remove();
  await nextTask();
  expect(document.activeElement).toBe(document.body);
  element('#b').focus();
  element('#portal').remove();
  await nextTask();
  expect(document.activeElement).toBe(element('#b'));
});
