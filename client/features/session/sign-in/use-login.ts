import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasReason, useErrorText, useWithErrorId } from '../../../lib/words/error-text.ts';

export interface LoginTry {
  busy: boolean;
  /** Why it failed, in words. */
  failure: string | null;
  fail: (sentence: string) => void;
  /** Runs a sign-in and says what went wrong. */
  run: (signIn: () => Promise<void>) => Promise<void>;
}

/** One try after another to sign in. */
export function useLogin(): LoginTry {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const withErrorId = useWithErrorId();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const run = async (signIn: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await signIn();
    } catch (error) {
      // What failed without a reason of its own failed as a login.
      setFailure(hasReason(error) ? errorText(error) : withErrorId(t('login.failed'), error));
    } finally {
      setBusy(false);
    }
  };

  return { busy, failure, fail: setFailure, run };
}
