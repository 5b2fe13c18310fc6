import type { TFunction } from 'i18next';
import { LANGUAGES, loadSentencesOf } from '../../../i18n.ts';
import type { Column } from './read-table.ts';

export interface ImportColumn<F extends string> {
  field: F;
  heading: (t: TFunction) => string;
  /** Other headings, as guilds write them by hand. */
  aliases: readonly string[];
  required?: boolean;
}

export const SPOT_COLUMNS: readonly ImportColumn<'name' | 'category' | 'enabled'>[] = [
  {
    field: 'name',
    heading: (t) => t('admin.respawns.columns.name'),
    aliases: ['name', 'respawn'],
    required: true,
  },
  {
    field: 'category',
    heading: (t) => t('admin.respawns.columns.category'),
    aliases: ['category'],
  },
  {
    field: 'enabled',
    heading: (t) => t('admin.respawns.fields.is_enabled'),
    aliases: ['enabled', 'is_enabled'],
  },
];

export const MEMBER_COLUMNS: readonly ImportColumn<'character_name' | 'member_type'>[] = [
  {
    field: 'character_name',
    heading: (t) => t('admin.characters.columns.name'),
    aliases: ['character', 'character_name', 'name'],
    required: true,
  },
  {
    field: 'member_type',
    heading: (t) => t('admin.characters.columns.type'),
    aliases: ['type', 'member_type'],
  },
];

/** Headings in every language: an export is imported again whatever the page's language was. */
export async function withAllHeadings<F extends string>(
  columns: readonly ImportColumn<F>[],
  t: TFunction,
): Promise<Column<F>[]> {
  // Without a connection, the import fails anyway.
  const loaded = await Promise.allSettled(LANGUAGES.map(({ code }) => loadSentencesOf(code)));
  const others = loaded.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  return columns.map(({ heading, aliases, ...column }) => ({
    ...column,
    headings: [t, ...others].map(heading).concat(aliases),
  }));
}
