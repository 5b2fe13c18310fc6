import { expect, it } from 'vitest';
import { isAppPath } from './app-files.ts';
import { type OpenWindow, openNotice } from './notifications.ts';

let calls: string[] = [];
const page = (path: string, state: Partial<OpenWindow> = {}): OpenWindow => ({
  url: `https://board.example${path}`,
  focused: false,
  visibilityState: 'hidden',
  focus: async () => calls.push(`focus ${path}`),
  navigate: async (to) => calls.push(`load ${to}`),
  ...state,
});
async function pressed(all: readonly OpenWindow[], answers = true): Promise<string[]> {
  calls = [];
  const ask = async ({ url }: OpenWindow, to: string): Promise<boolean> => {
    calls.push(`ask ${new URL(url).pathname} for ${to}`);
    return answers;
  };
  await openNotice('/mine?wait=5', {
    all,
    isApp: isAppPath,
    ask,
    open: async (to) => calls.push(`open ${to}`),
  });
  return calls;
}

it('a press opens a window where none is ours', async () => {
  expect(await pressed([])).toEqual(['open /mine?wait=5']);
  expect(await pressed([page('/api/docs')])).toEqual(['open /mine?wait=5']);
});

it('a press opens the focused page, else a visible one, else any', async () => {
  const hidden = page('/a');
  const visible = page('/b', { visibilityState: 'visible' });
  const focused = page('/c', { focused: true });
  expect(await pressed([hidden, visible, focused])).toEqual([
    'focus /c',
    'ask /c for /mine?wait=5',
  ]);
  expect(await pressed([hidden, visible])).toEqual(['focus /b', 'ask /b for /mine?wait=5']);
  expect(await pressed([page('/api/docs', { focused: true }), hidden])).toEqual([
    'focus /a',
    'ask /a for /mine?wait=5',
  ]);
});

it('a page that does not answer is navigated there; if that fails, a new one is opened', async () => {
  expect(await pressed([page('/a')], false)).toEqual([
    'focus /a',
    'ask /a for /mine?wait=5',
    'load /mine?wait=5',
  ]);
  const no = async (): Promise<never> => Promise.reject(new Error('no'));
  expect(await pressed([page('/a', { focus: no })])).toEqual(['ask /a for /mine?wait=5']);
  expect((await pressed([page('/a', { navigate: no })], false)).at(-1)).toBe('open /mine?wait=5');
});
