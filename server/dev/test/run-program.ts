import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a program of the system. @throws Error with its output */
export async function run(file: string, args: readonly string[]): Promise<void> {
  try {
    await execute(file, args);
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(`${file}: ${stderr || String(error)}`);
  }
}
