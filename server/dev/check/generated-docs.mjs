/** Compares the generated table of settings with the code; `--write` updates it. */

import { readFileSync, writeFileSync } from 'node:fs';
import { settings } from '../../env.ts';
import { at } from '../setup/command.mjs';
import { withPart } from './marked-part.mjs';

/** @param {string[]} head @param {string[][]} rows */
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function settingsTable() {
  /** @type {Record<string, string | number | undefined>} */
  const defaults = settings.parse({});
  const rows = Object.entries(settings.shape).map(([name, { description }]) => {
    if (!description) throw new Error(`${name} in server/env.ts needs a description: .describe(…)`);
    const value = defaults[name];
    return [
      `\`${name}\``,
      value === undefined ? '' : `\`${value}\``,
      description.replaceAll('|', '\\|'),
    ];
  });
  return table(['setting', 'default', 'meaning'], rows);
}

const DOCUMENT = 'server/ops/README.md';

if (import.meta.main) {
  const write = process.argv.includes('--write');
  const before = readFileSync(at(DOCUMENT), 'utf8');
  const after = withPart(before, 'settings', settingsTable());
  if (after !== before) {
    if (write) writeFileSync(at(DOCUMENT), after);
    else process.exitCode = 1;
    console.log(
      write
        ? `${DOCUMENT}: settings updated`
        : `${DOCUMENT}: settings out of date; run npm run check -- --fix`,
    );
  }
}
