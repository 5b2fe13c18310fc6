import path from 'node:path';
import type { Env } from '../env.ts';

/** The commands that start a server on a new database: in the terminal, and with the settings file. */
export function startLines(
  { DATA_DIR, DATABASE_URL }: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>,
  platform = process.platform,
): string {
  // Its password should not stay in a terminal's history twice.
  if (DATABASE_URL)
    return lines('DATABASE_URL=… npm start', 'DATABASE_URL=…', ', with the same address');
  const folder = path.resolve(DATA_DIR);
  if (folder === path.resolve('data')) return 'Start it with:  npm start\n';
  const command =
    platform === 'win32'
      ? `$env:DATA_DIR='${folder.replaceAll("'", "''")}'; npm start`
      : `DATA_DIR=${quoted(folder)} npm start`;
  // Without quotes, the settings file would take the rest for a comment.
  return lines(command, `DATA_DIR=${folder.includes('#') ? `'${folder}'` : folder}`);
}

const lines = (command: string, setting: string, how = ''): string =>
  `Start it with:  ${command}\nOr put this line into claimboard.env${how}, and run npm start:  ${setting}\n`;

/** For a shell. */
const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
