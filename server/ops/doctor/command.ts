import { parseArgs } from 'node:util';
import type { CheckState } from '../../../shared/rules/findings.ts';
import { type Env, readEnv } from '../../env.ts';
import { type Finding, isWell } from './examine.ts';
import { type Supervising, supervise } from './supervise.ts';
import { resultOf, titleOf } from './words.ts';

const USAGE = `npm run doctor              looks whether all is well, and says what to do where it is not
npm run doctor -- --json    the same as data

It changes nothing, beside a running server or without one; it uses the same settings. Ends with 1 where something has failed.
`;

/** Where the command runs: what it is given, and where it says what. */
export interface DoctorCommand extends Partial<Pick<Supervising, 'signal' | 'program' | 'now'>> {
  args: string[];
  env: NodeJS.ProcessEnv;
  out: (text: string) => void;
  err: (text: string) => void;
}

const MARK: Record<CheckState, string> = { ok: 'ok      ', warning: 'warning ', failed: 'FAILED  ' };

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

function lineOf(finding: Finding): string {
  const { state, text, what_to_do } = resultOf(finding);
  return oneLine(`${MARK[state]}${titleOf(finding.name)}: ${text}${what_to_do === null ? '' : ` ${what_to_do}`}`);
}

async function* lookedAt({ env: variables, signal, program, now = () => new Date() }: DoctorCommand): AsyncGenerator<Finding> {
  let env: Env;
  try {
    env = readEnv(variables);
  } catch (error) {
    // Where anything else is, they say.
    yield { name: 'settings', finding: 'bad', params: { reason: error instanceof Error ? error.message : String(error) } };
    return;
  }
  const looks = supervise({ env, now, ...(signal ? { signal } : {}), ...(program ? { program } : {}) });
  for await (const said of looks) if (!('begun' in said)) yield said;
}

/** @returns what the process exits with: 0 where nothing failed */
export async function doctorCommand(command: DoctorCommand): Promise<number> {
  const { out, err, args, now = () => new Date() } = command;
  const started_at = now().toISOString();
  const found: Finding[] = [];
  try {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
    for await (const finding of lookedAt(command)) {
      found.push(finding);
      if (!values.json) out(`${lineOf(finding)}\n`);
    }
    const checks = found.map(resultOf);
    if (values.json) out(`${JSON.stringify({ started_at, ended_at: now().toISOString(), checks }, null, 2)}\n`);
    return isWell(found) ? 0 : 1;
  } catch (error) {
    if (command.signal?.aborted) err('Interrupted.\n');
    else err(error instanceof TypeError ? USAGE : `${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
