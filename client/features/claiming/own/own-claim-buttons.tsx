import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../lib/loading/lazy-part.ts';
import { useNearTimeText } from '../../../lib/time-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { serverNow } from '../../../state/clock.ts';
import { closeOverlay, openOverlay, useOverlays } from '../../../state/overlays.ts';
import type { OwnClaimRow } from '../../../state/own-claims.ts';
import { BlockedButton, Button } from '../../../ui/button.tsx';
import { ChevronDownIcon } from '../../../ui/icons.tsx';
import { PartBoundary } from '../../../ui/part-boundary.tsx';
import styles from '../claiming.module.css';
import { type OwnAction, ownActions, useOwnFacts } from './own-actions.ts';

const CallButton = lazyPart(async () => (await import('./own-call.tsx')).CallButton);

interface OwnClaimButtonsProps {
  claim: OwnClaimRow;
  small?: boolean;
}

/** The actions of the viewer's own claim: the primary one as a button, the others in the menu *More*. */
export function OwnClaimButtons({ claim, small }: OwnClaimButtonsProps): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name) ?? '';
  const { primary, more } = ownActions(claim, useOwnFacts());
  return (
    <>
      {primary ? <PrimaryButton action={primary} spot={spot} small={small} /> : null}
      {more.length === 0 ? null : (
        <Button
          small={small}
          variant="quiet"
          aria-label={`${t('myClaims.more')}, ${spot}`}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => toggleOwnMenu(claim, currentTarget, 'more')}
        >
          {t('myClaims.more')} <ChevronDownIcon size={14} />
        </Button>
      )}
    </>
  );
}

interface PrimaryButtonProps {
  action: OwnAction;
  spot: string;
  small: boolean | undefined;
}

function PrimaryButton({ action, spot, small }: PrimaryButtonProps): ReactNode {
  const { t } = useTranslation();
  const nearTimeText = useNearTimeText();
  const { id, label, to, until, blocked, dialog } = action;
  const name = t(label, { to });
  const by =
    until &&
    t('myClaims.confirm.by', { until: nearTimeText(until.getTime(), serverNow().getTime()) });
  const words = by ? `${name} · ${by}` : name;
  const look = {
    small,
    variant: id === 'confirm' ? 'primary' : 'plain',
    className: id === 'confirm' ? styles.confirm : undefined,
    children: words,
    'aria-label': `${words}, ${spot}`,
  } as const;
  if (blocked) return <BlockedButton {...look} reason={t(blocked)} />;
  if (dialog) return <Button {...look} aria-haspopup="dialog" onClick={dialog} />;
  return (
    <PartBoundary fallback={<Button {...look} busy />}>
      <CallButton {...look} action={action} />
    </PartBoundary>
  );
}

/** @param which `more`: the primary action has a button of its own */
export function toggleOwnMenu(
  claim: OwnClaimRow,
  anchor: HTMLElement,
  which: 'all' | 'more',
): void {
  if (useOverlays.getState().open.ownClaim?.props.anchor === anchor) closeOverlay('ownClaim');
  else openOverlay('ownClaim', { claim, anchor, which });
}
