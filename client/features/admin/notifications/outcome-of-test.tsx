import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Destination, DestinationKind, TestAnswer } from '../../../../shared/schemas/destination.ts';
import { testDestination } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { CloseIcon } from '../../../ui/icons.tsx';
import { useFailureText } from './use-failure-text.ts';

type Outcome = { answer: TestAnswer } | { refusal: unknown };

interface Test {
  isRunning: boolean;
  outcome: Outcome | null;
  run: () => void;
  dismiss: () => void;
}

/** Sends a message that says that it is a test, at once and once. */
export function useTest(id: number): Test {
  const [isRunning, setIsRunning] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const test = async (): Promise<void> => {
    setIsRunning(true);
    setOutcome(null);
    try {
      const answer = await testDestination(id);
      setOutcome({ answer });
    } catch (refusal) {
      setOutcome({ refusal });
    }
    setIsRunning(false);
  };
  return { isRunning, outcome, run: () => void test(), dismiss: () => setOutcome(null) };
}

/** What came of a test, in words, and what to do where it did not arrive. */
export function TestOutcome({ test, destination }: { test: Test; destination: Destination }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { outcome, dismiss } = test;
  if (!outcome) return null;
  const hasArrived = 'answer' in outcome && outcome.answer.ok;
  return (
    <Alert
      tone={hasArrived ? 'good' : 'bad'}
      title={t(hasArrived ? 'admin.notifications.test.arrived' : 'admin.notifications.test.failed', { name: destination.name })}
      action={<IconButton small label={t('common.dismiss')} icon={<CloseIcon />} onClick={dismiss} />}
    >
      {'refusal' in outcome ? errorText(outcome.refusal) : <AnswerText answer={outcome.answer} destination={destination} />}
    </Alert>
  );
}

function AnswerText({ answer: { ok, status, error, ms }, destination }: { answer: TestAnswer; destination: Destination }): ReactNode {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const { kind, url: host } = destination;
  const answered = status === null ? null : t('admin.notifications.test.answered', { host, status, ms });
  if (ok) return answered ?? t('admin.notifications.test.took', { ms });
  if (answered === null || status === null) return failureText(error ?? '');
  return `${answered} ${t(`admin.notifications.test.help.${helpOf(status, kind)}`)}`;
}

/** What an answer asks of an admin. */
function helpOf(status: number, kind: DestinationKind): DestinationKind | 'later' | 'theirs' | 'redirect' | 'other' {
  if ([401, 403, 404, 410].includes(status)) return kind;
  if (status === 429) return 'later';
  if (status >= 500) return 'theirs';
  return status >= 300 && status < 400 ? 'redirect' : 'other';
}
