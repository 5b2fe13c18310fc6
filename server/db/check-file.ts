import BetterSqlite from 'better-sqlite3';
import { endWithParent } from './child-environment.ts';
import type { FileCheck } from './database-file.ts';

// A process of its own: reading a large file takes seconds. A thread could not be ended meanwhile, and the server's exit would wait for it.
function checkFile(file: string): FileCheck {
  try {
    const sqlite = new BetterSqlite(file, { readonly: true });
    return { found: String(sqlite.pragma('quick_check(1)', { simple: true })) };
  } catch (error) {
    return { error: String(error) };
  }
}

endWithParent();
process.send?.(checkFile(process.argv[2] ?? ''));
process.disconnect?.();
