import type { AddressInfo } from 'node:net';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import express from 'express';

/**
 * The baseline: bare Express on bare better-sqlite3, with commits as durable as ours. It shows what the machine can do during this
 * run.
 */

const database = new BetterSqlite(path.join(process.env.DATA_DIR ?? '.', 'bare.sqlite'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec(
  'create table if not exists claims (id integer primary key, body text not null, spot integer)',
);
database.exec('create index if not exists claims_spot on claims (spot)');
const insert = database.prepare('insert into claims (body, spot) values (?, 0)');
const fill = database.prepare(
  "insert into claims (body, spot) with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select 'claim', 1 from n",
);
const clear = database.prepare('delete from claims where spot = 1');
const select = database.prepare('select 1');
const ETAG = 'W/"1"';

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get('/readyz', (_req, res) => {
  select.get();
  res.json({ status: 'ready' });
});
// One durable commit.
app.post('/api/claims', express.text({ type: '*/*' }), (req, res) => {
  insert.run(req.body);
  res.status(201).json({ success: true });
});
app.get('/api/respawns', (req, res) => {
  res.set('ETag', ETAG);
  if (req.get('if-none-match') === ETAG) res.status(304).end();
  else res.json([]);
});
app.post('/fill/:claims', (req, res) => {
  fill.run(BigInt(req.params.claims));
  res.json({ success: true });
});
app.delete('/spot', (_req, res) => {
  res.json({ deleted: clear.run().changes });
});

const server = app.listen(0, '127.0.0.1', () => {
  const address: AddressInfo | string | null = server.address();
  if (address && typeof address === 'object')
    process.stdout.write(`ready at http://127.0.0.1:${address.port}\n`);
});
