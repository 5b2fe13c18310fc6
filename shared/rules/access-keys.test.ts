import { describe, expect, it } from 'vitest';
import { accessKeyForm, isCredential } from './access-keys.ts';

describe('an access key', () => {
  it.each([
    'K7QM-2F9A-XW3C',
    'k7qm-2f9a-xw3c',
    'K7QM2F9AXW3C',
    ' k7qm 2f9a xw3c ',
    'K7QM - 2F9A - XW3C\r\n',
    'K7QM–2F9A—XW3C',
    'K7QM\u20112F9A\u2212XW3C',
    'K7Q\nM-2F9A\u00a0XW3C',
    '\u200bK7QM-2F9A-XW3C\ufeff',
    'Ｋ７ＱＭ－２Ｆ９Ａ－ＸＷ３Ｃ',
    'K-7-Q-M-2-F-9-A-X-W-3-C',
    '`K7QM-2F9A-XW3C`',
    '```\nK7QM-2F9A-XW3C\n```',
    '"K7QM-2F9A-XW3C"',
    '“k7qm 2f9a xw3c”',
    '**K7QM-2F9A-XW3C**',
    '* K7QM-2F9A-XW3C',
    '_K7QM-2F9A-XW3C_.',
    '(K7QM2F9AXW3C).',
    'Access key: K7QM-2F9A-XW3C',
    'Clave de acceso: K7QM-2F9A-XW3C.',
    'Chave de acesso K7QM-2F9A-XW3C',
    'Arden Vale: K7QM-2F9A-XW3C, again K7QM 2F9A XW3C',
  ])('typed as %j is the same one', (typed) => {
    expect(accessKeyForm(typed)).toBe('K7QM-2F9A-XW3C');
  });

  it.each([
    ['K7QM-2F9A-XW3', 'K7QM-2F9A-XW3'],
    [' key-5 ', 'KEY-5'],
    ['', ''],
    ['K7QM-2F9A-XW3C-ABCD', 'K7QM-2F9A-XW3C-ABCD'],
    ['K7QM-2F9A-XW3C or ABCD-EFGH-JKMN', 'K7QM-2F9A-XW3CORABCD-EFGH-JKMN'],
  ])('of another length, %j, keeps its hyphens', (typed, form) => {
    expect(accessKeyForm(typed)).toBe(form);
  });
});

describe('a credential', () => {
  it.each([
    'K7QM-2F9A-XW3C',
    ' k7qm 2f9a xw3c',
    'KQMRBFTAXWSC',
    'kqmr-bfta-xwsc',
    'claim-7kq2m9xa',
  ])('%j is recognized', (typed) => expect(isCredential(typed)).toBe(true));
  it.each(['Barter Hunter', 'barter hunter', 'Fire Library -1', ''])('%j is none', (typed) =>
    expect(isCredential(typed)).toBe(false),
  );
});
