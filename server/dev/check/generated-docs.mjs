/** Compares the generated parts of the documents with the code; `--write` updates them. */

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { settings } from '../../env.ts';
import { at } from '../setup/command.mjs';
import { limits } from './limits.mjs';
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

/** @param {string} document */
function limitsTables(document) {
  const from = path.dirname(document);
  return Object.entries(limits())
    .map(([group, list]) => {
      const rows = list.map(({ name, value, what, file }) => [
        value,
        what,
        `[\`${name}\`](${path.relative(from, file)})`,
      ]);
      return `### ${group}\n\n${table(['limit', 'what', 'constant'], rows)}`;
    })
    .join('\n\n');
}

/** Each generated part: its document, its name in the document's markers, and its text. */
const PARTS = [
  { document: 'server/ops/README.md', name: 'settings', text: settingsTable },
  { document: 'server/http/README.md', name: 'limits', text: limitsTables },
];

if (import.meta.main) {
  const write = process.argv.includes('--write');
  for (const { document, name, text } of PARTS) {
    const before = readFileSync(at(document), 'utf8');
    const after = withPart(before, name, text(document));
    if (after === before) continue;
    if (write) writeFileSync(at(document), after);
    else process.exitCode = 1;
    console.log(
      write
        ? `${document}: ${name} updated`
        : `${document}: ${name} out of date; run npm run check -- --fix`,
    );
  }
}
