import { type LookupAddress, lookup as lookUpByThread } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/** How long each name server is waited for, in milliseconds, and how often it is asked. */
const PATIENCE = { timeout: 3_000, tries: 2 };

/**
 * Finds the addresses of a name without blocking one of Node's few DNS threads: names whose servers are dead would block them,
 * and every other look-up with them. Names that no name server knows may be in the machine's own hosts file or network.
 * @param servers for tests: name servers instead of the machine's
 */
export function createLookup(servers?: readonly string[]): LookupFunction {
  return (name, options, done) => {
    // A resolver reads the machine's name servers once, when it is made; they change with the network.
    const resolver = new Resolver(PATIENCE);
    if (servers) resolver.setServers(servers);
    const asked = [resolver.resolve4(name), resolver.resolve6(name)];
    void Promise.allSettled(asked).then((answers) => {
      const found = answers.flatMap((answer, at): LookupAddress[] =>
        answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: at === 0 ? 4 : 6 })) : [],
      );
      const [first] = found;
      if (first) return options.all ? done(null, found) : done(null, first.address, first.family);
      const silent = answers.find((answer) => answer.status === 'rejected' && answer.reason?.code === 'ETIMEOUT');
      // Whom nobody answers a thread would wait for, too.
      if (silent?.status === 'rejected') return done(silent.reason, '');
      return lookUpByThread(name, options, done);
    });
  };
}
