import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_CLAIMS_TO_UNDO } from '../../../../shared/schemas/activity.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { clearRespawnClaims } from '../../../api/admin-calls.ts';
import { deleteClaim, withdrawWait } from '../../../api/calls.ts';
import { claimKey } from '../../../lib/claims.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import tab from '../tab.module.css';
import { type ClaimIndex, countToClear, findClaim } from './claim-groups.ts';
import { useDayInWords } from './claim-words.tsx';

export type ClaimRemoval =
  | { what: 'delete'; claim: ClaimOnRespawn }
  | { what: 'clear'; respawn_id: number; name: string };

interface ClaimConfirmationProps {
  removal: ClaimRemoval;
  sources: readonly ClaimIndex[];
  onClose: () => void;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Asks before claims are deleted, and names them; live while it is open. */
export function ClaimConfirmation({
  removal,
  sources,
  onClose,
  focusAfter,
}: ClaimConfirmationProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  const event = useActiveEvent();
  const respawns = useBoard((board) => board.byKind.respawn);
  const totalOf = (respawn_id: number): number => respawns.get(respawn_id)?.total_claims ?? 0;
  const held = useBoard(({ byKind }) =>
    removal.what === 'delete' && removal.claim.is_held
      ? waitOf(byKind.wait.values(), removal.claim.id)
      : undefined,
  );
  const common = { open: true, onOpenChange: onClose, focusAfter };
  if (held) return <EntryConfirmation wait={held} onClose={onClose} focusAfter={focusAfter} />;
  if (removal.what === 'delete') {
    const claim = findClaim(sources, removal.claim) ?? removal.claim;
    const { id, character_name: name } = claim;
    return (
      <ConfirmDialog
        {...common}
        title={t('admin.claims.confirmDelete.title', { name })}
        text={
          <Stack gap={2}>
            <RemovedClaims claims={[claim]} withSpot />
            <p>
              {t(
                claim.is_split_claim
                  ? 'admin.claims.confirmDelete.split'
                  : 'admin.claims.confirmDelete.text',
              )}
            </p>
          </Stack>
        }
        confirmLabel={t('admin.claims.confirmDelete.confirm')}
        onConfirm={async () => {
          await deleteClaim(id);
          offerUndo(t('admin.claims.deleted'), {
            action: 'claim_deleted',
            matches: ({ claim_id }) => claim_id === id,
          });
        }}
        failed={t('admin.claims.deleteFailed')}
        errorText={errorText}
      />
    );
  }
  const { respawn_id, name: respawn } = removal;
  const claims = sources.flatMap((index) => index.get(respawn_id) ?? []);
  const known = new Set(claims.map((claim) => claim.id)).size;
  const count = countToClear(sources, respawn_id, event ? null : totalOf(respawn_id));
  return (
    <ConfirmDialog
      {...common}
      title={t('admin.claims.confirmClear.title', { respawn })}
      text={
        <Stack gap={2}>
          <p>{t('admin.claims.confirmClear.text', { count })}</p>
          <RemovedClaims claims={claims} unseen={count - known} />
          <p>
            {t(
              count > MAX_CLAIMS_TO_UNDO
                ? 'admin.claims.confirmClear.notRestorable'
                : 'admin.claims.confirmClear.restorable',
            )}
          </p>
          {count > 1 ? <p>{t('admin.notifications.oneMessage')}</p> : null}
        </Stack>
      }
      confirmLabel={t('admin.claims.confirmClear.confirm', { count })}
      onConfirm={async () => {
        const { deletedCount } = await clearRespawnClaims(respawn_id);
        const message = t('admin.claims.cleared', { n: deletedCount, respawn });
        if (deletedCount > MAX_CLAIMS_TO_UNDO) {
          showToast({ text: message });
          return;
        }
        offerUndo(message, {
          action: 'claims_cleared',
          matches: (details) => details.respawn_id === respawn_id,
        });
      }}
      failed={t('admin.claims.clearFailed', { respawn })}
      errorText={errorText}
    />
  );
}

/** The waitlist entry that a claim's hours are held for. */
function waitOf(waits: Iterable<Wait>, claim_id: number): Wait | undefined {
  for (const wait of waits) if (wait.held_claim_id === claim_id) return wait;
  return undefined;
}

const MAX_LISTED = 10;

interface RemovedClaimsProps {
  claims: readonly ClaimOnRespawn[];
  /** How many more are deleted. */
  unseen?: number;
  withSpot?: boolean;
}

function RemovedClaims({ claims, unseen = 0, withSpot }: RemovedClaimsProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const respawns = useBoard((board) => board.byKind.respawn);
  const more = Math.max(claims.length - MAX_LISTED, 0) + unseen;
  return (
    <ul aria-label={t('admin.claims.toDelete')} className={tab.claimLines}>
      {claims.slice(0, MAX_LISTED).map((claim) => (
        <li key={claimKey(claim)}>
          <strong>{claim.character_name}</strong>
          {withSpot ? <span>{respawns.get(claim.respawn_id)?.name}</span> : null}
          <span>{dayInWords(claim)}</span>
          <span className="tabular nowrap">
            {t('time.range', { start: claim.hour_start, end: claim.hour_end })}
          </span>
        </li>
      ))}
      {more > 0 ? <li>{t('admin.bulk.andMore', { count: more })}</li> : null}
    </ul>
  );
}

interface EntryConfirmationProps {
  wait: Wait;
  onClose: () => void;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Asks before a waitlist entry is withdrawn. If hours become held for it while the dialog is open, the hold ends instead. */
export function EntryConfirmation({
  wait: opened,
  onClose,
  focusAfter,
}: EntryConfirmationProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const dayInWords = useDayInWords();
  const offerUndo = useOfferUndo();
  const wait = useBoard((board) => board.byKind.wait.get(opened.id)) ?? opened;
  const spot = useBoard((board) => board.byKind.respawn.get(wait.respawn_id)?.name) ?? '';
  const { id, character_name: name, held_claim_id: held, hour_start: start, hour_end: end } = wait;
  const isHold = wait.status === 'offered' && held !== null;
  const question = isHold ? 'confirmEnd' : 'confirmRemove';
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title={t(`admin.waitlist.${question}.title`, { name })}
      text={
        <Stack gap={2}>
          <p>
            {spot}, {dayInWords(wait)}, {t('time.range', { start, end })}
          </p>
          <p>{t(`admin.waitlist.${question}.text`, { name })}</p>
        </Stack>
      }
      confirmLabel={t(`admin.waitlist.${question}.confirm`)}
      onConfirm={async () => {
        await (isHold ? deleteClaim(held) : withdrawWait(id, null));
        const done = t(`admin.waitlist.${question}.done`, { name });
        if (isHold)
          offerUndo(done, {
            action: 'claim_deleted',
            matches: ({ claim_id }) => claim_id === held,
          });
        else showToast({ text: done });
      }}
      errorText={(error) => t(`admin.waitlist.${question}.failed`, { reason: errorText(error) })}
    />
  );
}
