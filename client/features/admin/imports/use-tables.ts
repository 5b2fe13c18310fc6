import { useTranslation } from 'react-i18next';
import type { CsvCell } from '../../../../shared/csv.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useKeyFile } from '../keys/use-key-file.ts';

/** One table of the guild's, as a file has it. */
export interface GuildTable {
  id: 'respawns' | 'categories' | 'memberTypes' | 'members' | 'characters' | 'events';
  name: string;
  headings: readonly string[];
  rows: () => CsvCell[][];
  count: number;
}

/** Whatever of the guild is on this page anyway; claims, what became of them and the log are read by pages, in their tabs. */
export function useTables(): readonly GuildTable[] {
  const { t } = useTranslation();
  const { respawn, category, member_type, access_key, verified_code, event } = useBoard((board) => board.byKind);
  const keyFile = useKeyFile();
  const yes = (flag: 0 | 1): string => t(flag ? 'admin.activity.yes' : 'admin.activity.no');
  return [
    {
      id: 'respawns',
      name: t('admin.import.tables.respawns'),
      headings: [
        t('admin.respawns.columns.name'),
        t('admin.respawns.columns.category'),
        t('admin.respawns.fields.is_enabled'),
        t('admin.respawns.columns.claims'),
        t('admin.respawns.columns.last_claim'),
      ],
      rows: () =>
        inNameOrder(respawn.values(), ({ name }) => name).map((spot) => [
          spot.name,
          spot.category_name ?? '',
          yes(spot.is_enabled),
          spot.total_claims,
          spot.last_claim_date,
        ]),
      count: respawn.size,
    },
    {
      id: 'members',
      name: t('admin.import.tables.members'),
      headings: keyFile.headings,
      rows: () => inNameOrder(access_key.values(), ({ character_name }) => character_name).map(keyFile.rowOf),
      count: access_key.size,
    },
    {
      id: 'characters',
      name: t('admin.import.tables.characters'),
      headings: [
        t('admin.characters.columns.name'),
        t('admin.characters.columns.type'),
        t('admin.characters.columns.created'),
        t('admin.characters.columns.verified'),
        t('admin.import.banned'),
      ],
      rows: () =>
        inNameOrder(verified_code.values(), ({ character_name }) => character_name).map((record) => [
          record.character_name,
          record.member_type,
          record.created_at,
          record.verified_at,
          yes(record.banned),
        ]),
      count: verified_code.size,
    },
    {
      id: 'memberTypes',
      name: t('admin.import.tables.memberTypes'),
      headings: [
        t('admin.members.fields.member_type'),
        t('admin.members.fields.voucher_duration_hours'),
        t('admin.members.fields.can_submit'),
        t('admin.members.fields.earliest_submission_date'),
        t('admin.members.fields.allow_secondary_claims'),
        t('admin.members.fields.max_hours_per_day'),
        t('admin.members.fields.max_hours_per_event'),
        t('admin.members.fields.background_color'),
        t('admin.members.fields.guild_ranks'),
      ],
      rows: () =>
        [...member_type.values()].map((type) => [
          type.member_type,
          type.voucher_duration_hours,
          yes(type.can_submit),
          type.earliest_submission_date,
          yes(type.allow_secondary_claims),
          type.max_hours_per_day,
          type.max_hours_per_event,
          type.background_color,
          type.guild_ranks.join(', '),
        ]),
      count: member_type.size,
    },
    {
      id: 'categories',
      name: t('admin.import.tables.categories'),
      headings: [t('admin.categories.name')],
      rows: () => inNameOrder(category.values(), ({ name }) => name).map(({ name }) => [name]),
      count: category.size,
    },
    {
      id: 'events',
      name: t('admin.import.tables.events'),
      headings: [
        t('admin.activity.fields.name'),
        t('admin.activity.fields.type'),
        t('admin.activity.fields.start_time'),
        t('admin.activity.fields.end_time'),
        t('admin.respawns.columns.claims'),
      ],
      rows: () =>
        [...event.values()].map(({ name, type, start_time, end_time, claim_count }) => [
          name,
          t(`admin.events.type.${type}`),
          start_time,
          end_time,
          claim_count,
        ]),
      count: event.size,
    },
  ];
}
