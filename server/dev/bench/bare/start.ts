import path from 'node:path';
import { type Program, startProgram } from '../program.ts';

/** Starts bare Express with bare better-sqlite3; its database is in this folder. */
export const startBareHttp = (data_dir: string): Promise<Program> =>
  startProgram({ args: [path.join(import.meta.dirname, 'http.ts')], env: { DATA_DIR: data_dir } });

/** Starts bare `ws`. @param lengths of its messages, in bytes */
export const startBareLive = (lengths: { board: number; change: number }): Promise<Program> =>
  startProgram({
    args: [path.join(import.meta.dirname, 'live.ts')],
    env: { BOARD_BYTES: String(lengths.board), CHANGE_BYTES: String(lengths.change) },
  });
