import { type ReactNode, useEffect, useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import {
  boardMessage,
  type SayOnBoard,
  shownBoard,
} from '../../../../shared/discord/board-message.ts';
import type { Destination, Language } from '../../../../shared/schemas/destination.ts';
import { listBoardMessages } from '../../../api/admin-calls.ts';
import { useServerQuery } from '../../../api/query.ts';
import { loadSentencesOf } from '../../../i18n.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from '../../../state/clock.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { RecordField } from '../../../ui/form/record-field.tsx';
import type { RecordForm } from '../../../ui/form/record-form.ts';
import { Stack } from '../../../ui/layout.tsx';
import type { ChannelRequest, ChannelValues, EditedChannel } from './channel-values.ts';
import { DiscordPicture } from './discord-picture.tsx';

export const BOARD_MESSAGES = {
  queryKey: ['board messages'],
  queryFn: ({ signal }: { signal: AbortSignal }) => listBoardMessages(signal),
};

/** Adds to channels whether they keep the board; null while that is not known. */
export function useWithBoard(): ((channel: Destination) => EditedChannel) | null {
  const { data, error } = useServerQuery(BOARD_MESSAGES);
  if (!data && !error) return null;
  const kept = new Map((data ?? []).map((each) => [each.destination_id, each.category_id]));
  return (channel) => ({
    ...channel,
    keeps_board: kept.has(channel.id),
    board_category: kept.get(channel.id) ?? null,
  });
}

type ChannelForm = RecordForm<EditedChannel, ChannelValues, ChannelRequest>;

/** Whether a Discord channel keeps today's board in one message, with a picture of it. */
export function BoardField({ form }: { form: ChannelForm }): ReactNode {
  const { t } = useTranslation();
  const { fields, typed } = form;
  const { field: keeps } = useController({ control: form.form.control, name: 'keeps_board' });
  const categories = useBoard((board) => board.byKind.category);
  return (
    <Stack gap={3}>
      <Checkbox
        ref={keeps.ref}
        label={fields.keeps_board.label}
        checked={keeps.value}
        onChange={({ target }) => keeps.onChange(target.checked)}
      />
      {keeps.value ? (
        <>
          <p className="muted small">{t('admin.notifications.board.help')}</p>
          <RecordField form={form} name="board_category">
            {({ value, onChange }) => (
              <Select
                value={String(value ?? '0')}
                options={[
                  { value: '0', label: t('board.allSpots') },
                  ...inNameOrder(categories.values(), ({ name }) => name).map(({ id, name }) => ({
                    value: String(id),
                    label: name,
                  })),
                ]}
                onChange={(id) => onChange(id === '0' ? null : Number(id))}
              />
            )}
          </RecordField>
          <BoardPicture language={typed.language} category_id={typed.board_category} />
        </>
      ) : null}
    </Stack>
  );
}

/** The message that the channel would get now. */
function BoardPicture({
  language,
  category_id,
}: {
  language: Language;
  category_id: number | null;
}): ReactNode {
  const { t } = useTranslation();
  const say = useSay(language);
  const records = useBoard((board) => board.byKind);
  const { date: today, hour } = useServerSaveTime();
  const clock = useServerSaveClock();
  if (!say) return null;
  const now = serverNow();
  const board = shownBoard(
    {
      claim: records.claim.values(),
      occupancy: records.occupancy.values(),
      wait: records.wait.values(),
      respawn: records.respawn.values(),
      category: records.category.values(),
    },
    { today, hour, now, category_id },
  );
  const message = boardMessage(board, { say, clock, now, board_url: location.origin });
  return (
    <Stack gap={2} as="figure">
      <figcaption className="muted fine medium">
        {t('admin.notifications.board.picture')}
      </figcaption>
      <DiscordPicture message={message} />
    </Stack>
  );
}

/** The channel's language; null until its sentences are loaded. */
function useSay(language: Language): SayOnBoard | null {
  const [loaded, setLoaded] = useState<{ language: Language; say: SayOnBoard } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    loadSentencesOf(language).then(
      (sentences) =>
        isCurrent && setLoaded({ language, say: (key, params = {}) => sentences(key, params) }),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return loaded?.language === language ? loaded.say : null;
}
