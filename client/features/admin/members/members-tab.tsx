import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { useOpened } from '../forms/row-edit.ts';
import { carriersByType } from './carriers.ts';
import { CreateMemberType } from './create-member-type.tsx';
import { MemberTypeCard } from './member-type-card.tsx';
import styles from './members.module.css';

/** All member types, live: make, change and delete them. */
export function MembersTab(): ReactNode {
  const mayGuild = useMay('guild');
  const { t } = useTranslation();
  const table = useBoard((board) => board.byKind.member_type);
  const keys = useBoard((board) => board.byKind.access_key);
  const claims = useBoard((board) => board.byKind.claim);
  const carriers = carriersByType(keys.values(), claims.values());
  const { shown, openedOf, setOpen } = useOpened(table, (type) => type.member_type);
  const list = useRef<HTMLElement>(null);
  return (
    <div className={styles.tab}>
      {mayGuild ? <CreateMemberType /> : null}
      <section ref={list} tabIndex={-1} aria-label={t('admin.members.list')} className={styles.list}>
        <ul className={styles.cards}>
          {shown.map((type) => (
            <MemberTypeCard
              key={type.member_type}
              type={type}
              live={table.get(type.member_type)}
              carriers={carriers.get(type.member_type) ?? { keys: 0, claims: 0 }}
              opened={openedOf(type)}
              onEdit={(editing) => setOpen(type, editing)}
              focusAfterDelete={list}
            />
          ))}
        </ul>
      </section>
    </div>
  );
}
