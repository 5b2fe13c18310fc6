import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasReason, useErrorText } from '../../lib/words/error-text.ts';
import type { SubmissionState } from '../../state/claim-draft.ts';
import { Alert } from '../../ui/alert.tsx';

/** Section 7 of the specification: the error's text, else "Failed to create claim" with the reason on a second line. */
export function useSubmissionFailure(): (error: unknown) => {
  text: string;
  detail: string | null;
} {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (error) =>
    hasReason(error)
      ? { text: errorText(error), detail: null }
      : { text: t('submit.failed'), detail: errorText(error) };
}

/** Why the last submission was refused, or that its outcome is unknown. */
export function SubmissionFailure({ state }: { state: SubmissionState }): ReactNode {
  const errorText = useErrorText();
  const failureOf = useSubmissionFailure();
  if (state.status !== 'refused' && state.status !== 'unsure') return null;
  // A submission whose answer was lost may not have failed.
  if (state.status === 'unsure') return <Alert tone="bad">{errorText(state.error)}</Alert>;
  const { text, detail } = failureOf(state.error);
  return detail === null ? (
    <Alert tone="bad">{text}</Alert>
  ) : (
    <Alert tone="bad" title={text}>
      {detail}
    </Alert>
  );
}
