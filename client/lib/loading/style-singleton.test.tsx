import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { styleSingleton } from './style-singleton.ts';

const rules = (): string[] =>
  document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText));

test('styles are there once while used, and no element is written for them', () => {
  const Sheet = styleSingleton();
  const first = render(<Sheet styles="body { overflow: hidden; }" />);
  const second = render(<Sheet styles="body { overflow: hidden; }" />);
  expect(rules()).toEqual(['body { overflow: hidden; }']);
  expect(document.querySelectorAll('style')).toHaveLength(0);
  first.unmount();
  expect(rules()).toHaveLength(1);
  second.unmount();
  expect(rules()).toEqual([]);
  render(<Sheet styles="body { color: red; }" />).unmount();
  expect(rules()).toEqual([]);
});
