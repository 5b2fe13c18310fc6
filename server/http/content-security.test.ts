import { describe, expect, it } from 'vitest';
import { createSuiteApp } from '../dev/test/test-app.ts';

describe('the Content-Security-Policy', () => {
  const app = createSuiteApp('sqlite');
  const policyOf = async (path: string): Promise<Record<string, string>> => {
    const { headers } = await app.api.get(path);
    const directives = String(headers['content-security-policy']).split(';');
    return Object.fromEntries(
      directives.map((each) => [each.split(' ')[0], each.split(' ').slice(1).join(' ')]),
    );
  };

  it('lets the client run and show only what the server serves, and no inline style but the one that a picture needs', async () => {
    const host = new URL(app.url).host;
    expect(await policyOf('/events')).toEqual({
      'default-src': "'self'",
      'connect-src': `'self' ws://${host} wss://${host}`,
      'font-src': "'self'",
      'img-src': "'self' data: blob:",
      'style-src': expect.stringMatching(/^'self' 'sha256-[^' ]+'$/),
      'script-src': "'self'",
      'script-src-attr': "'none'",
      'object-src': "'none'",
      'base-uri': "'self'",
      'form-action': "'self'",
      'frame-ancestors': "'self'",
    });
  });

  it('of the API’s page allows its own files, and calls of this server', async () => {
    for (const path of ['/docs', '/docs/page.js']) {
      expect(await policyOf(path)).toEqual({
        'default-src': "'none'",
        'script-src': "'self'",
        'style-src': "'self'",
        'img-src': "'self' data:",
        'connect-src': "'self'",
        'base-uri': "'none'",
        'form-action': "'none'",
        'frame-ancestors': "'self'",
      });
    }
  });
});
