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
database.exec('create table if not exists claims (id integer primary key, body text not null)');
const insert = database.prepare('insert into claims (body) values (?)');

const app = express();
app.disable('x-powered-by');
app.disable('etag');
// One durable commit.
app.post('/api/claims', express.text({ type: '*/*' }), (req, res) => {
  insert.run(req.body);
  res.status(201).json({ success: true });
});
/** As our server's, so that the load's agent never reuses a connection that is about to close. */
const KEEP_ALIVE_MS = 75_000;
const server = app.listen(0, '127.0.0.1', () => {
  const address: AddressInfo | string | null = server.address();
  if (address && typeof address === 'object')
    process.stdout.write(`ready at http://127.0.0.1:${address.port}\n`);
});
server.keepAliveTimeout = KEEP_ALIVE_MS;
