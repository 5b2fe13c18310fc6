import { expect, test } from 'vitest';

/** A field in two elements, built from the inside as React builds it. */
function aField(): { outer: HTMLElement; field: HTMLInputElement } {
  const outer = document.createElement('p');
  const inner = document.createElement('span');
  const field = document.createElement('input');
  inner.append(field);
  outer.append(inner);
  return { outer, field };
}

test('a tree that is built outside the document joins and leaves it', () => {
  const { outer, field } = aField();
  field.id = 'field';
  expect(field.isConnected).toBe(false);
  document.body.append(outer);
  expect(field.isConnected).toBe(true);
  expect(document.getElementById('field')).toBe(field);
  field.focus();
  expect(document.activeElement).toBe(field);
  outer.remove();
  expect(field.isConnected).toBe(false);
  expect(document.activeElement).toBe(document.body);
  expect(document.getElementById('field')).toBe(null);
});

test('it belongs to the form around it, also outside the document, and moves to another', () => {
  const { outer, field } = aField();
  const one = document.createElement('form');
  const two = document.createElement('form');
  one.append(outer);
  expect(field.form).toBe(one);
  expect([...one.elements]).toEqual([field]);
  two.append(outer);
  expect(field.form).toBe(two);
  expect([...one.elements]).toEqual([]);
  document.body.append(two);
  expect(field.form).toBe(two);
  two.remove();
});

test('an option that is built before its list is selected in it', () => {
  const option = document.createElement('option');
  option.append('Weekly');
  const group = document.createElement('optgroup');
  group.append(option);
  const select = document.createElement('select');
  select.append(group);
  expect(select.value).toBe('Weekly');
  expect(option.selected).toBe(true);
});

test('text is part of a style that gets it later', () => {
  const style = document.createElement('style');
  style.append('.one { color: red }');
  document.head.append(style);
  expect(style.sheet?.cssRules).toHaveLength(1);
  style.remove();
});

test('a shadow tree has its own root', () => {
  const { outer, field } = aField();
  const host = document.createElement('div');
  host.attachShadow({ mode: 'open' }).append(outer);
  expect(field.getRootNode()).toBe(host.shadowRoot);
  document.body.append(host);
  expect(field.isConnected).toBe(true);
  host.remove();
});
