import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadStream } from 'node:tty';
import { StartError } from '../../db/failures.ts';

const ENTER = ['\r', '\n'];
/** Ctrl+C and Ctrl+D, which arrive as letters while the terminal shows nothing. */
const CANCEL = ['\u0003', '\u0004'];
const BACKSPACE = ['\u007f', '\b'];

/** Where passwords come from: a terminal, or what is piped in. */
export type Keyboard = ReadStream | (Readable & { isTTY?: false });

/**
 * A new password: typed twice without being shown, or the first line of the standard input.
 * @throws StartError when the two differ, or nobody can type
 */
export async function readPassword(stdin: Keyboard, fromStdin: boolean): Promise<string> {
  if (fromStdin) return (await text(stdin)).split(/\r?\n/, 1)[0] ?? '';
  if (!stdin.isTTY) throw new StartError('There is no terminal to type a password in. Pipe it in with --password-stdin.');
  // Before the first question, and throughout: what is typed fast or pasted must not show either.
  stdin.setRawMode(true);
  try {
    const password = await typed(stdin, 'New password: ');
    if (password !== (await typed(stdin, 'The same again: '))) throw new StartError('The two passwords differ.');
    return password;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}

/** Letters that came with the line before, when several lines were pasted at once. */
let ahead = '';

/** Reads a line from a terminal that shows nothing. */
function typed(stdin: ReadStream, question: string): Promise<string> {
  const { stderr } = process;
  stderr.write(question);
  stdin.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    let letters: string[] = [];
    const read = (chunk: string): void => {
      const typed = [...ahead, ...chunk];
      ahead = '';
      for (const [at, letter] of typed.entries()) {
        if (ENTER.includes(letter) || CANCEL.includes(letter)) {
          ahead = typed.slice(at + 1).join('');
          stdin.off('data', read);
          stderr.write('\n');
          if (ENTER.includes(letter)) resolve(letters.join(''));
          else reject(new StartError('Nothing was changed.'));
          return;
        }
        if (BACKSPACE.includes(letter)) letters = letters.slice(0, -1);
        else if (letter >= ' ') letters.push(letter);
      }
    };
    stdin.on('data', read);
    stdin.resume();
    if (ahead !== '') read('');
  });
}
