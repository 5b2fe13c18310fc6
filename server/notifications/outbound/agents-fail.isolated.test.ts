import { expect, it, vi } from 'vitest';
import { answering, aReceiver } from '../../dev/test/receiver.ts';
import * as agents from './agents.ts';
import { createPost } from './post.ts';

vi.mock(import('./agents.ts'), async (load) => {
  const { openAgents, ...others } = await load();
  return { ...others, openAgents: vi.fn(openAgents) };
});

it('opens its agents again after that failed, as where memory or open files were short', async () => {
  vi.mocked(agents.openAgents).mockRejectedValueOnce(new Error('too many open files'));
  const receiver = await aReceiver(answering(204));
  const post = createPost({ ALLOW_PRIVATE_DESTINATIONS: '1' });
  const letter = { url: receiver.url, headers: {}, body: 'x' };
  expect(await post(letter)).toEqual({ ok: false, error: 'unreachable' });
  expect(await post(letter)).toMatchObject({ ok: true, status: 204 });
  expect(agents.openAgents).toHaveBeenCalledTimes(2);
});
