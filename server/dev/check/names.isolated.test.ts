import { describe, expect, it } from 'vitest';
import { faultsIn } from './names.mjs';

const faultsOf = (code: string, file = 'server/db/rows.ts') => faultsIn(file, code);

describe('the check of names', () => {
  it.each([
    ['a variable', 'const workDeed = 1;', /rows\.ts:1: the name workDeed says "deed": action/],
    ['a constant', 'const MOST_ROWS = 1;', /MOST_ROWS says "most": MAX_…/],
    ['a function', 'function sendInTurns() {}', /"in turns": in batches/],
    ['a parameter', 'const send = ({ row, waiter }: Row) => row;', /"waiter": waitlist entry/],
    ['a type', 'type Doorkeeper = () => void;', /"doorkeeper": authenticate/],
    ['a property', 'interface Row { told: number }', /the name told says "told": notified/],
    ['a private member', 'class Runner { #asked = 1; }', /"asked": request/],
    [
      'a comment',
      '\n\n/** Wakes whoever waits. */ const wake = 1;',
      /rows\.ts:3: the text says "whoever": the caller/,
    ],
    ["a test's title", "it('starts anew', () => {});", /"anew": again/],
  ])('refuses the word in the name of %s', (_, code, fault) => {
    expect(faultsOf(code)).toEqual([expect.stringMatching(fault)]);
  });

  it('refuses it in the name of a file', () => {
    expect(faultsOf('', 'server/db/bell.ts')).toEqual([
      expect.stringMatching(/server\/db\/bell\.ts: the file's name says "bell"/),
    ]);
  });

  it.each([
    ['a longer word', 'const bellows = 1; const unpacked = 2; const wasTold = 3;'],
    ['a text', "const code = 'deed'; const query = `select told from deeds`;"],
    ['quoted code in a comment', '/** As `whoever` was. */ const row = 1;'],
    ['a name of another library', "import { told } from 'news'; told.asked();"],
  ])('accepts %s', (_, code) => {
    expect(faultsOf(code)).toEqual([]);
  });
});
