import { parseArgs } from 'node:util';
import type { CheckName, CheckState } from '../../../shared/rules/findings.ts';
import type { CheckResult } from '../../../shared/schemas/system.ts';
import { type Env, mistypedSettings, readSettings } from '../../env.ts';
import type { Finding } from './check.ts';
import { reportOf, titleOf } from './report.ts';
import { type RunOptions, runChecks } from './run-checks.ts';

const USAGE = `npm run doctor              checks the installation and says how to fix problems
npm run doctor -- --json    prints the results as JSON

It changes nothing and uses the server's settings; the server may be running. It exits with 1 if a check failed.
`;

export interface DoctorCommand extends Pick<RunOptions, 'signal' | 'worker' | 'notifyingJobs'> {
  args: string[];
  env: NodeJS.ProcessEnv;
  settingsFile?: string | null;
  out: (text: string) => void;
  err: (text: string) => void;
}

const MARK: Record<CheckState, string> = {
  ok: 'ok      ',
  warning: 'warning ',
  failed: 'FAILED  ',
};

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

const lineOf = (name: CheckName, { state, text, what_to_do }: CheckResult): string =>
  oneLine(`${MARK[state]}${titleOf(name)}: ${text}${what_to_do === null ? '' : ` ${what_to_do}`}`);

async function* findings({
  env: variables,
  settingsFile,
  ...options
}: DoctorCommand): AsyncGenerator<Finding> {
  let env: Env;
  try {
    env = readSettings(variables, settingsFile);
  } catch (error) {
    // Without settings nothing else can be checked.
    yield {
      name: 'settings',
      finding: 'bad',
      params: { reason: error instanceof Error ? error.message : String(error) },
    };
    return;
  }
  const [mistyped] = mistypedSettings(variables);
  for await (const progress of runChecks({ ...options, env })) {
    if ('begun' in progress) continue;
    const isMistyped =
      mistyped !== undefined && progress.name === 'settings' && progress.finding === 'ok';
    yield isMistyped ? { name: 'settings', finding: 'mistyped', params: mistyped } : progress;
  }
}

/** @returns the exit code: 0 unless a check failed */
export async function doctorCommand(command: DoctorCommand): Promise<number> {
  const { out, err, args } = command;
  const started_at = new Date().toISOString();
  const checks: CheckResult[] = [];
  try {
    const { values } = parseArgs({
      args,
      options: { help: { type: 'boolean', short: 'h' }, json: { type: 'boolean', default: false } },
    });
    if (values.help) {
      out(USAGE);
      return 0;
    }
    for await (const finding of findings(command)) {
      const result = reportOf(finding);
      checks.push(result);
      if (!values.json) out(`${lineOf(finding.name, result)}\n`);
    }
    if (values.json)
      out(
        `${JSON.stringify({ started_at, ended_at: new Date().toISOString(), checks }, null, 2)}\n`,
      );
    return checks.some(({ state }) => state === 'failed') ? 1 : 0;
  } catch (error) {
    if (command.signal?.aborted) err('Interrupted.\n');
    else
      err(
        error instanceof TypeError
          ? USAGE
          : `${error instanceof Error ? error.message : String(error)}\n`,
      );
    return 1;
  }
}
