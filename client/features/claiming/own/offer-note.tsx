import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import { useNearTimeText } from '../../../lib/time-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { serverNow } from '../../../state/clock.ts';
import { useSession } from '../../../state/session-store.ts';

/** On a claim that is offered: to whom and until when. Also on the one asked for in return. Only both members have the offer. */
export function OfferNote({ claim_id }: { claim_id: number }): ReactNode {
  const { t } = useTranslation();
  const nearTimeText = useNearTimeText();
  const transfer = useBoard(({ byKind }) => {
    for (const one of byKind.transfer.values())
      if (one.claim_id === claim_id || one.for_claim_id === claim_id) return one;
    return undefined;
  });
  const profiles = useSession((session) => session.profiles);
  if (!transfer) return null;
  const { from, to, expires_at } = transfer;
  const isOwn = (name: string): boolean =>
    profiles.some(({ characterName }) => nameKey(characterName) === nameKey(name));
  const until = nearTimeText(Date.parse(expires_at), serverNow().getTime());
  const text =
    transfer.for_claim_id === claim_id
      ? isOwn(to) && t('transfer.label.swap', { from })
      : isOwn(from)
        ? t('transfer.offeredUntil', { to, until })
        : isOwn(to) && t('transfer.offeredToYou', { until });
  return text ? <p className="muted fine tabular">{text}</p> : null;
}
