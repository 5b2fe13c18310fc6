import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../shared/rules/names.ts';
import type { TransferPlace } from '../../../shared/schemas/transfer.ts';
import { answerTransfer } from '../../api/calls.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { refreshBoard } from '../../live/refresh.ts';
import { useBoard } from '../../state/board-store.ts';
import { useNearDay } from '../../state/near-day.ts';
import type { OwnTransfer } from '../../state/own-claims.ts';
import { useSession } from '../../state/session-store.ts';
import { BlockedButton, Button, IconButton } from '../../ui/button.tsx';
import { useLocalHours } from '../../ui/hours/hours-text.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { Cluster } from '../../ui/layout.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useAction } from '../../ui/use-action.ts';
import styles from './offers.module.css';

type Answer = 'accept' | 'refuse';

interface ShownTransfer {
  own: OwnTransfer;
  /** It is no longer open and can't be answered. */
  isGone: boolean;
}

interface TransferAnswers {
  /** Open offers, and past ones whose answer is under way or failed. */
  lines: readonly ShownTransfer[];
  /** Keeps an offer until `forget`, although it may end meanwhile. */
  answering: (own: OwnTransfer) => void;
  forget: (id: number) => void;
}

/** Offers that this browser's characters received, with those that ended before their answer was accepted. */
export function useTransferAnswers(received: readonly OwnTransfer[]): TransferAnswers {
  const [answered, setAnswered] = useState<ReadonlyMap<number, OwnTransfer>>(new Map());
  const claims = useBoard((board) => board.byKind.claim);
  const open = new Set(received.map(({ transfer }) => transfer.id));
  // After a lost answer, or one in another tab: the claim is theirs.
  const isAccepted = ({ transfer: { claim_id, to } }: OwnTransfer): boolean =>
    nameKey(claims.get(claim_id)?.character_name ?? '') === nameKey(to);
  const gone = [...answered.values()].filter(
    (own) => !open.has(own.transfer.id) && !isAccepted(own),
  );
  return {
    lines: [
      ...received.map((own) => ({ own, isGone: false })),
      ...gone.map((own) => ({ own, isGone: true })),
    ],
    answering: (own) => setAnswered((before) => new Map(before).set(own.transfer.id, own)),
    forget: (id) =>
      setAnswered((before) => {
        const next = new Map(before);
        next.delete(id);
        return next;
      }),
  };
}

interface TransferLineProps extends ShownTransfer {
  onAnswer: () => void;
  /** It is answered, or its end was read. */
  onDone: () => void;
  /** Hides the offer until the member opens their claims. */
  onLater?: (() => void) | undefined;
}

/** A claim that another member offers, with both answers; of a swap the claim that they ask for in return. */
export function TransferLine({
  own: { transfer, profile },
  isGone,
  onAnswer,
  onDone,
  onLater,
}: TransferLineProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const isOffline = useBoard((board) => board.connection === 'offline');
  const several = useSession((session) => session.profiles.length > 1);
  const { offered, wanted, from } = transfer;
  const answer = useAction({
    work: (choice: Answer) => {
      onAnswer();
      return answerTransfer(transfer.id, choice, profile.accessKey);
    },
    done: (_answered, choice) => {
      // The pressed button disappears, so move the focus.
      document.querySelector('main')?.focus({ preventScroll: true });
      onDone();
      showToast(
        choice === 'accept'
          ? { text: t('transfer.acceptedNow', { spot: offered.respawn_name }) }
          : { tone: 'plain', text: t('transfer.refusedNow', { from }) },
      );
    },
    atEnd: refreshBoard,
  });
  const busy = answer.isBusy ? answer.input : null;
  const what = {
    from,
    spot: offered.respawn_name,
    hours: t('time.range', { start: offered.hour_start, end: offered.hour_end }),
  };
  return (
    <div className={styles.offer}>
      <div className={styles.text}>
        <p className={styles.what}>
          <span className="own">
            {several
              ? t(`transfer.labelFor.${transfer.kind}`, { from, name: profile.characterName })
              : t(`transfer.label.${transfer.kind}`, { from })}
          </span>
        </p>
        <Place label={wanted ? t('transfer.get') : null} place={offered} />
        {wanted ? <Place label={t('transfer.give')} place={wanted} /> : null}
        {answer.failure ? (
          <p role="alert" className="bad">
            {errorText(answer.failure)}
          </p>
        ) : null}
      </div>
      {isGone && !answer.isBusy ? (
        <IconButton label={t('common.dismiss')} icon={<CloseIcon />} onClick={onDone} />
      ) : (
        <Cluster className={styles.actions}>
          {(['accept', 'refuse'] as const).map((choice) => {
            const look = {
              variant: choice === 'accept' ? 'primary' : 'plain',
              children: t(`transfer.${choice}`),
              'aria-label': t(`transfer.${choice}Named`, what),
            } as const;
            if (isOffline)
              return <BlockedButton key={choice} {...look} reason={t('errors.network.failed')} />;
            return (
              <Button
                key={choice}
                {...look}
                busy={busy === choice}
                aria-disabled={(answer.isBusy && busy !== choice) || undefined}
                onClick={() => answer.run(choice)}
              />
            );
          })}
          {onLater ? (
            <IconButton
              label={t('transfer.laterNamed', what)}
              icon={<CloseIcon />}
              className={styles.later}
              onClick={onLater}
            />
          ) : null}
        </Cluster>
      )}
    </div>
  );
}

function Place({ label, place }: { label: string | null; place: TransferPlace }): ReactNode {
  const { t } = useTranslation();
  const nearDay = useNearDay();
  const localHours = useLocalHours();
  const { respawn_name, date, hour_start: start, hour_end: end } = place;
  return (
    <p className="muted">
      {label === null ? null : `${label}: `}
      <b className={styles.minutes}>{respawn_name}</b>{' '}
      <span className="nowrap">{t('time.range', { start, end })}</span>
      {' · '}
      {date === null ? (
        t('board.everyDay')
      ) : (
        <>
          {nearDay(date)} · <span className="nowrap">{localHours(date, start, end)}</span>
        </>
      )}
    </p>
  );
}
