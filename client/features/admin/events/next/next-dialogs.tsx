import type { ReactNode } from 'react';
import type { Event } from '../../../../../shared/schemas/event.ts';
import { CopyDialog } from './copy-dialog.tsx';
import { TemplateDialog } from './template-dialog.tsx';

/** What is to come of an event. */
export interface NextPeriod {
  what: 'copy' | 'save';
  event: Event;
}

export function NextDialogs({ next: { what, event }, onClose }: { next: NextPeriod; onClose: () => void }): ReactNode {
  return what === 'copy' ? <CopyDialog source={event} onClose={onClose} /> : <TemplateDialog source={event} onClose={onClose} />;
}
