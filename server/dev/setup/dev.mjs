/**
 * `npm run dev`: the server, restarted on every change, and Vite's development server with hot reload. `npm run dev -- parts` opens
 * the page of all parts of `client/ui` in a browser.
 */

import { keepCatalogue } from './catalogue.mjs';
import { at, command, say } from './command.mjs';
import { foreground } from './foreground.mjs';
import { install } from './install.mjs';
import { nodeEnvironment } from './runtime.mjs';

await command(async () => {
  const node = await install();
  keepCatalogue();
  const port = process.env.PORT ?? '3000';
  const api = process.env.API_SERVER ?? `http://localhost:${port}`;
  const env = nodeEnvironment(node, { PORT: port, API_SERVER: api });
  const path = process.argv[2] === 'parts' ? '/parts' : '/';
  say(`Open http://localhost:5173${path}: Vite, in front of the server on port ${port}.`);
  const { code } = await foreground(
    { file: node, args: ['--watch', '--watch-preserve-output', at('server/main.ts')], env },
    {
      file: node,
      args: [
        at('node_modules/vite/bin/vite.js'),
        ...['--port', '5173', '--strictPort'],
        ...(path === '/' ? [] : ['--open', path]),
      ],
      env,
    },
  );
  return code;
});
