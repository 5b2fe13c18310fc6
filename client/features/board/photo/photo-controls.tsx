import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useDayText, useInstantText } from '../../../lib/time-text.ts';
import { serverNow, useServerSaveTime } from '../../../state/clock.ts';
import { Button } from '../../../ui/button.tsx';
import { CameraIcon } from '../../../ui/icons.tsx';
import { reloadPage } from '../../../ui/reload-page.ts';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import styles from './photo.module.css';

interface PhotoControlsProps {
  sectionId: string;
  title: string;
  /** The server-save date that its cards show. */
  date: string;
  event: ActiveEvent | null;
}

/** In a section's head: the picture's caption and the button that saves it. */
export function PhotoControls({ sectionId, title, date, event }: PhotoControlsProps): ReactNode {
  const { t } = useTranslation();
  const save = useAction({
    work: async () => {
      const part = await import('./take-picture.ts').catch(() => null);
      if (!part) {
        showToast({ tone: 'bad', text: t('board.photo.failed'), action: reloadPage(t) });
        return;
      }
      // Looked up late: an admin may have deleted the category meanwhile.
      const section = document.getElementById(sectionId);
      if (!section) {
        showToast({ tone: 'bad', text: t('board.photo.notFound') });
        return;
      }
      const fileName = pictureName(title, date);
      saveFile(fileName, await part.takePicture(section));
      showToast({ text: t('board.photo.saved', { fileName }) });
    },
    failed: () => t('board.photo.failed'),
  });

  return (
    <>
      <span className={styles.caption}>{useCaption(date, event)}</span>
      <Button
        small
        busy={save.isBusy}
        onClick={() => save.run()}
        aria-label={t('board.photo.takeOf', { title })}
        data-not-in-picture=""
      >
        <CameraIcon size={14} /> {t('board.photo.take')}
      </Button>
    </>
  );
}

/** "Double week · Saturday 21 November 2026 · as of SS+13, 22:31 CET"; a single_claim event covers all its days alike. */
function useCaption(date: string, event: ActiveEvent | null): string {
  const dayText = useDayText();
  const asOf = useAsOf(date);
  const days =
    event?.type === 'single_claim'
      ? `${dayText(eventDate(event.start_time), 'longDate')} - ${dayText(eventDate(event.end_time), 'longDate')}`
      : dayText(date, 'full');
  return [...(event ? [event.name] : []), days, ...asOf].join(' · ');
}

/** "as of SS+13, 22:31 CET": a picture of today needs the time it was taken. */
function useAsOf(date: string): string[] {
  const { t } = useTranslation();
  const instantText = useInstantText();
  const { date: today, hour } = useServerSaveTime();
  if (date !== today) return [];
  return [t('board.photo.asOf', { hour, time: instantText(serverNow(), 'clockAndZone') })];
}

/** File systems end at 255 bytes, and a letter may take four. */
const MAX_CHARACTERS = 50;

/** "Pits & Tombs" on 2026-11-21 is `pits-tombs-2026-11-21.png`: letters and digits of every alphabet stay, all else is a hyphen. */
export function pictureName(title: string, date: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const slug = [...words].slice(0, MAX_CHARACTERS).join('').replace(/^-|-$/g, '');
  return `${slug || 'category'}-${date}.png`;
}
