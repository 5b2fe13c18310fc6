import { failureSentence } from '../../../shared/rules/delivery-failures.ts';
import { type CheckName, findingKeys, stateOf } from '../../../shared/rules/findings.ts';
import { shownParams } from '../../../shared/rules/shown-params.ts';
import type { CheckResult } from '../../../shared/schemas/system.ts';
import { sentencesIn } from '../../http/errors.ts';
import type { Finding } from './check.ts';

const say = sentencesIn('en');

const shortTime = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

/** For the command and the API: the finding with its English sentences. The System tab translates the code itself. */
export function reportOf({ name, finding, params = {} }: Finding): CheckResult {
  const { text, todo } = findingKeys(name, finding);
  const sentence = typeof params.error === 'string' ? failureSentence(params.error) : null;
  const words = shownParams(
    sentence ? { ...params, error: say(sentence.key, { ...sentence.params }) } : params,
    'en',
    shortTime,
  );
  return {
    name,
    state: stateOf(name, finding) ?? 'failed',
    finding,
    params,
    text: say(`admin.system.findings.${text}`, { replace: words }),
    what_to_do: todo && say(`admin.system.fixes.${todo}`, { replace: words }),
  };
}

export const titleOf = (name: CheckName): string => say(`admin.system.names.${name}`);
