import path from 'node:path';
import { type Program, startProgram } from '../program.ts';

/** Bare Express on bare better-sqlite3, with a database file in this folder. */
export const startBareHttp = (data_dir: string): Promise<Program> =>
  startProgram({ args: [path.join(import.meta.dirname, 'http.ts')], env: { DATA_DIR: data_dir } });

/** Bare `ws`. @param lengths in bytes, of what it sends */
export const startBareLive = (lengths: { board: number; change: number }): Promise<Program> =>
  startProgram({
    args: [path.join(import.meta.dirname, 'live.ts')],
    env: { BOARD_BYTES: String(lengths.board), CHANGE_BYTES: String(lengths.change) },
  });
