import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadStream } from 'node:tty';
import { StartError } from '../../db/errors.ts';

const ENTER = ['\r', '\n'];
/** Ctrl+C and Ctrl+D: in raw mode they arrive as characters. */
const CANCEL = ['\u0003', '\u0004'];
const BACKSPACE = ['\u007f', '\b'];

/** A terminal, or a pipe. */
export type PasswordInput = ReadStream | (Readable & { isTTY?: false });

/**
 * A new password, typed twice without echo, or the first line of a pipe.
 * @throws StartError if the two differ, or there is no terminal
 */
export async function readPassword(stdin: PasswordInput, fromStdin: boolean): Promise<string> {
  if (fromStdin) return (await text(stdin)).split(/\r?\n/, 1)[0] ?? '';
  if (!stdin.isTTY) throw new StartError('There is no terminal to type a password in. Pipe it in with --password-stdin.');
  // For both questions: what is typed ahead or pasted must not be echoed either.
  stdin.setRawMode(true);
  try {
    const password = await readLine(stdin, 'New password: ');
    if (password !== (await readLine(stdin, 'The same again: '))) throw new StartError('The two passwords differ.');
    return password;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}

/** Rest of the input after a line, if several lines were pasted at once. */
let ahead = '';

/** Reads a line without echo. */
function readLine(stdin: ReadStream, question: string): Promise<string> {
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
