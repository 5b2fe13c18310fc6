import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { at } from './command.mjs';
import { thirdPartyNotices } from './third-party-notices.mjs';

it('names every package that the client is built of or the server runs on, with version, licence and source', () => {
  const notices = thirdPartyNotices();
  const { dependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const tools = ['vite', '@vitejs/plugin-react', 'oxc-transform-react'];
  for (const [name, version] of Object.entries(dependencies))
    expect([name, notices.includes(`\n${name} ${version}\n`)]).toEqual([
      name,
      !tools.includes(name),
    ]);
  expect(notices).toMatch(/\nweb-push .+\nLicence: MPL-2\.0\nSource: https:\/\/\S+web-push/);
  expect(notices).toContain('SIL OPEN FONT LICENSE');
  // A package of a package.
  expect(notices).toContain('\nengine.io ');
});
