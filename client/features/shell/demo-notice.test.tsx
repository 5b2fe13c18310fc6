import { act, render, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useSettings } from '../../live/use-settings.ts';
import { setIsDemo } from '../../state/permissions.ts';
import { aConfig } from '../../test/records.ts';
import { DemoNotice } from './page-frame.tsx';

function VisitorPage() {
  useSettings();
  return <DemoNotice />;
}

test.each([
  [1, true],
  [0, false],
] as const)(
  'a page of a guild with is_demo %s says that it is invented: %s, to visitors, too',
  async (is_demo, isShown) => {
    const answer = { ...aConfig({ is_demo }), server_time: new Date().toISOString() };
    vi.stubGlobal('fetch', async () => Response.json(answer));
    const { unmount } = render(<VisitorPage />);
    onTestFinished(() => {
      unmount();
      setIsDemo(false);
      vi.unstubAllGlobals();
    });
    if (isShown) expect(await screen.findByText('This is an invented guild')).toBeTruthy();
    else {
      await act(async () => {});
      expect(screen.queryByText('This is an invented guild')).toBeNull();
    }
  },
);
