import { describe, expect, it } from 'vitest';
import { withPart } from './marked-part.mjs';

describe('a generated part', () => {
  it('replaces the one before', () => {
    const document = 'Speed\n\n<!-- bench -->\nold\n<!-- /bench -->\n\nmore\n';
    expect(withPart(document, 'bench', 'new')).toBe(
      'Speed\n\n<!-- bench -->\nnew\n<!-- /bench -->\n\nmore\n',
    );
  });

  it('needs its markers', () => {
    expect(() => withPart('nothing', 'bench', 'new')).toThrow('no place for the bench');
  });
});
