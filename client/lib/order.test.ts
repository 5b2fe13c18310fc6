import { expect, test } from 'vitest';
import { compareText, inNameOrder } from './order.ts';

const inOrder = (...names: string[]): string[] => inNameOrder(names, (name) => name);

test('numbers in names are in order of their size', () => {
  expect(inOrder('Ingol -10', 'Ingol -2', 'Ingol -1', 'Ingol')).toEqual(['Ingol', 'Ingol -1', 'Ingol -2', 'Ingol -10']);
});

test('neither case nor accents move a name', () => {
  expect(inOrder('zao', 'Ágata', 'Banuta', 'agate', 'Câmara', 'camel')).toEqual(['Ágata', 'agate', 'Banuta', 'Câmara', 'camel', 'zao']);
});

test("spaces and apostrophes come before letters, as in a browser's own order", () => {
  const names = ["Asura's Vault", 'Asura Palace', 'Asuras', 'Asura'];
  expect(inOrder(...names)).toEqual(names.sort(new Intl.Collator('en').compare));
});

test('equal names stay as they come', () => {
  const records = [
    { id: 2, name: 'Issavi' },
    { id: 1, name: 'issavi' },
    { id: 3, name: 'Darashia' },
  ];
  expect(inNameOrder(records, (record) => record.name).map(({ id }) => id)).toEqual([3, 2, 1]);
});

test('dates are in order as they are written', () => {
  expect(['2026-11-02', '2025-12-31', '2026-01-10'].sort(compareText)).toEqual(['2025-12-31', '2026-01-10', '2026-11-02']);
});
