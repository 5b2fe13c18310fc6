import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Destination, MAX_DESTINATIONS } from '../../../../shared/schemas/destination.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { BlockedButton, Button } from '../../../ui/button.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import tab from '../tab.module.css';
import { DestinationConfirmation, type DestinationDeed } from './destination-confirmation.tsx';
import { DestinationRow } from './destination-row.tsx';
import { FirstSteps } from './first-steps.tsx';
import { DestinationDialog } from './form/destination-form.tsx';
import styles from './notifications.module.css';
import { type Secret, SecretDialog } from './secret-dialog.tsx';

/** Who is told what happens on the board, live: Discord channels and webhooks. Those that were switched off stand first. */
export function NotificationsTab(): ReactNode {
  const { t } = useTranslation();
  const table = useBoard((board) => board.byKind.destination);
  const [form, setForm] = useState<'new' | Destination | null>(null);
  const [deed, setDeed] = useState<DestinationDeed | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const list = useRef<HTMLElement>(null);
  const named = inNameOrder(table.values(), ({ name }) => name);
  const destinations = [...named.filter(isSwitchedOff), ...named.filter((destination) => !isSwitchedOff(destination))];
  return (
    <section ref={list} tabIndex={-1} aria-label={t('admin.notifications.list')} className={styles.tab}>
      {destinations.length === 0 ? (
        <FirstSteps onAdd={() => setForm('new')} />
      ) : (
        <>
          <div className={tab.tools}>
            <p className={styles.intro}>{t('admin.notifications.intro')}</p>
            <AddButton count={destinations.length} onAdd={() => setForm('new')} />
          </div>
          <ul className={styles.list}>
            {destinations.map((destination) => (
              <DestinationRow
                key={destination.id}
                destination={destination}
                onEdit={() => setForm(destination)}
                onDeed={(what) => setDeed({ what, destination })}
              />
            ))}
          </ul>
        </>
      )}
      <DestinationDialog shown={form} taken={named} onClose={() => setForm(null)} onSecret={setSecret} />
      {deed ? <DestinationConfirmation deed={deed} onClose={() => setDeed(null)} onSecret={setSecret} focusAfterDelete={list} /> : null}
      {secret ? <SecretDialog secret={secret} onClose={() => setSecret(null)} focusAfter={list} /> : null}
    </section>
  );
}

const isSwitchedOff = ({ switched_off }: Destination): boolean => switched_off !== null;

/** At twenty it cannot be pressed, and says why. */
function AddButton({ count, onAdd }: { count: number; onAdd: () => void }): ReactNode {
  const { t } = useTranslation();
  const label = (
    <>
      <PlusIcon />
      {t('admin.notifications.add')}
    </>
  );
  if (count < MAX_DESTINATIONS) {
    return (
      <Button variant="primary" onClick={onAdd}>
        {label}
      </Button>
    );
  }
  const reason = t('admin.notifications.full', { max: MAX_DESTINATIONS });
  return (
    <div className={styles.full}>
      <BlockedButton reason={reason}>{label}</BlockedButton>
      <p className={styles.hint}>{reason}</p>
    </div>
  );
}
