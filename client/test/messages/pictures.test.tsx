import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import html2canvas from 'html2canvas';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, vi } from 'vitest';
import { Board } from '../../features/board/board.tsx';
import { applySnapshot, clearBoard } from '../../state/board-store.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { ToastHost } from '../../ui/toast.tsx';
import { aCategory, aClaim, anActiveEvent, aSpot } from '../records.ts';
import { appears } from './appears.ts';

// There is nothing to paint on here; a browser test looks at the picture itself.
vi.mock('html2canvas', () => ({ default: vi.fn() }));

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  Object.assign(window, { innerWidth: 1024 });
  window.dispatchEvent(new Event('resize'));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  // The emblems are there at once.
  vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(true);
  applySnapshot(1, {
    respawn: [aSpot(1, 'Fire Library', 10)],
    category: [aCategory(10, 'Ankrahmun')],
    claim: [aClaim({ id: 1, respawn_id: 1 })],
    event: [anActiveEvent()],
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  clearBoard();
});

async function takePicture(before = (_button: HTMLElement): void => {}): Promise<void> {
  render(
    <MemoryRouter initialEntries={['/?photoMode=true']}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Board />
        <ToastHost />
      </LocalTimeContext>
    </MemoryRouter>,
  );
  const button = await screen.findByRole('button', { name: 'Screenshot: Ankrahmun' });
  before(button);
  await userEvent.click(button);
}

appears('pictures', {
  'board.photo.saved': () => {
    vi.mocked(html2canvas).mockImplementation(async (_host, options) => {
      const canvas = options?.canvas ?? document.createElement('canvas');
      canvas.toBlob = (painted) => painted(new Blob(['PNG'], { type: 'image/png' }));
      return canvas;
    });
    return takePicture();
  },
  'board.photo.failed': () => {
    vi.mocked(html2canvas).mockRejectedValue(new Error('nothing to paint on'));
    return takePicture();
  },
  'board.photo.notFound': () =>
    takePicture((button) => button.closest('section')?.removeAttribute('id')),
});
