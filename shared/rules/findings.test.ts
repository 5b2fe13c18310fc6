import { describe, expect, it } from 'vitest';
import { CHECK_NAMES, FINDINGS, findingKeys, stateOf } from './findings.ts';

describe('a finding of a check', () => {
  it('has a state; one of another version has none', () => {
    expect([stateOf('disk', 'ok'), stateOf('disk', 'low'), stateOf('disk', 'full')]).toEqual([
      'ok',
      'warning',
      'failed',
    ]);
    expect([
      stateOf('disk', 'tookTooLong'),
      stateOf('disk', 'broke'),
      stateOf('disk', 'notLooked'),
    ]).toEqual(['warning', 'failed', 'warning']);
    expect(stateOf('disk', 'haunted')).toBeNull();
  });

  it('has a sentence, and one that says what to do where something is to be done', () => {
    expect(findingKeys('disk', 'ok')).toEqual({ text: 'disk.ok', todo: null });
    expect(findingKeys('disk', 'low')).toEqual({ text: 'disk.low', todo: 'disk.low' });
    expect(findingKeys('disk', 'full')).toEqual({ text: 'disk.full', todo: 'disk.full' });
  });

  it('that every check can have shares its sentences', () => {
    for (const finding of ['tookTooLong', 'broke', 'notLooked']) {
      const key = `any.${finding}`;
      expect([findingKeys('disk', finding), findingKeys('of another version', finding)]).toEqual([
        { text: key, todo: key },
        { text: key, todo: key },
      ]);
    }
  });

  it('of another version has the sentence of a check that broke', () => {
    for (const [name, finding] of [
      ['disk', 'haunted'],
      ['ghosts', 'ok'],
      ['any', 'ok'],
    ] as const)
      expect(findingKeys(name, finding)).toEqual({ text: 'any.broke', todo: 'any.broke' });
  });

  it('is one of its check: each has sentences of its own but for the shared ones', () => {
    expect(CHECK_NAMES).toEqual(Object.keys(FINDINGS));
    for (const name of CHECK_NAMES)
      for (const [finding, state] of Object.entries(FINDINGS[name])) {
        const isShared = ['tookTooLong', 'broke', 'notLooked'].includes(finding);
        const text = `${isShared ? 'any' : name}.${finding}`;
        expect(findingKeys(name, finding)).toEqual({ text, todo: state === 'ok' ? null : text });
      }
  });
});
