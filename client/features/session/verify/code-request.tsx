import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { gameName } from '../../../../shared/rules/names.ts';
import { requestVerificationCode } from '../../../api/calls.ts';
import { useIsMounted } from '../../../lib/use-is-mounted.ts';
import { hasReason, useErrorText, useWithErrorId } from '../../../lib/words/error-text.ts';
import { serverNow } from '../../../state/clock.ts';
import {
  type PendingVerification,
  rememberVerification,
} from '../../../state/pending-verifications.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { useAction } from '../../../ui/use-action.ts';

/** Requests a new code for the character; it replaces the stored one. */
export function NewCode({ name, plain }: { name: string; plain?: boolean }): ReactNode {
  const { t } = useTranslation();
  const { isBusy, failure, request } = useCodeRequest();
  return (
    <Stack>
      {failure ? <CodeFailureAlert {...failure} /> : null}
      <div>
        <Button variant={plain ? 'plain' : 'primary'} busy={isBusy} onClick={() => request(name)}>
          {t('verify.code.another')}
        </Button>
      </div>
    </Stack>
  );
}

interface CodeFailure {
  text: string;
  /** Why, on a line of its own; null: `text` says it. */
  reason: string | null;
  /** Whether it refuses the typed name. */
  isOfName: boolean;
}

interface CodeRequest {
  isBusy: boolean;
  failure: CodeFailure | null;
  request: (characterName: string) => void;
  /** Clears the message, because the name changed. */
  forget: () => void;
}

export function CodeFailureAlert({
  text,
  reason,
}: Pick<CodeFailure, 'text' | 'reason'>): ReactNode {
  return reason === null ? (
    <Alert tone="bad">{text}</Alert>
  ) : (
    <Alert tone="bad" title={text}>
      {reason}
    </Alert>
  );
}

/** @param onCode receives the character's name as stored, if the page is still there */
export function useCodeRequest(onCode?: (characterName: string) => void): CodeRequest {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const withErrorId = useWithErrorId();
  const isMounted = useIsMounted();
  const [isMissing, setMissing] = useState(false);
  const code = useAction({
    work: async (characterName: string) => {
      const answer = await requestVerificationCode(characterName);
      if (answer?.code) {
        const { code, expiresAt, verification_token = '' } = answer;
        rememberVerification({ characterName, code, expiresAt, verification_token });
      } else rememberVerification(testModeCode(characterName));
    },
    done: (_code, characterName) => {
      if (isMounted()) onCode?.(characterName);
    },
  });

  const failureOf = (error: unknown): CodeFailure | null => {
    if (isMissing)
      return { text: t('errors.character.nameRequired'), reason: null, isOfName: true };
    if (!error) return null;
    const isKnown = hasReason(error) && error.code !== '';
    if (isKnown)
      return {
        text: errorText(error),
        reason: null,
        isOfName: error.code.startsWith('character.'),
      };
    // A failure that is not ours is reported as a failed code request.
    const reason = hasReason(error) ? error.message : null;
    return { text: withErrorId(t('verify.name.failed'), error), reason, isOfName: false };
  };

  return {
    isBusy: code.isBusy,
    failure: failureOf(code.failure),
    request: (typed) => {
      const characterName = likelySpelling(gameName(typed));
      setMissing(characterName === '');
      if (characterName) code.run(characterName);
      else code.forget();
    },
    forget: () => {
      setMissing(false);
      code.forget();
    },
  };
}

/** Words of a name that the game writes in lower case, except the first. */
const LOWER_CASE_WORDS = new Set([
  'of',
  'the',
  'and',
  'in',
  'on',
  'at',
  'to',
  'from',
  'de',
  'da',
  'do',
  'dos',
  'das',
  'del',
  'la',
  'el',
  'von',
  'van',
]);

/**
 * A name typed in one case, as the game most likely spells it: "carlin knight" as "Carlin Knight". Names with capitals and small letters
 * stay. Only for display until the game's own spelling is known.
 */
export function likelySpelling(name: string): string {
  if (name !== name.toLowerCase() && name !== name.toUpperCase()) return name;
  const words = name.toLowerCase().split(' ');
  return words
    .map((word, i) =>
      i > 0 && LOWER_CASE_WORDS.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join(' ');
}

/** Section 9 of the specification. */
const VALID_MS = 24 * 3_600_000;
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 8;

/** The test-mode code of section 7 of the specification: it verifies no character. */
function testModeCode(characterName: string): PendingVerification {
  const letters = crypto.getRandomValues(new Uint8Array(LENGTH));
  const code = `TEST-${Array.from(letters, (letter) => ALPHABET[letter % ALPHABET.length]).join('')}`;
  const expiresAt = new Date(serverNow().getTime() + VALID_MS).toISOString();
  return { characterName, code, expiresAt, verification_token: null };
}
