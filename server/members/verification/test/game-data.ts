import { createServer, type Server, type ServerResponse } from 'node:http';

/** A character as the source answers it; a field that is empty is left out, and `guild` is {} without a guild. */
interface Profile {
  name: string;
  comment?: string;
  guild?: { name?: string; rank?: string };
  traded?: boolean;
  /** Antica unless it says otherwise. */
  world?: string;
  deletion_date?: string;
  /** It is asked for by this name. */
  former_name?: string;
  former_names?: readonly string[];
}

type Reply = (res: ServerResponse) => void;

export interface GameData {
  url: string;
  /** The requested names, in order. */
  requests: string[];
  /** Sets its answer for a name from now on. */
  show: (profile: Profile, headers?: Record<string, string>) => void;
  /** Who is online in a world from now on; of others it says that they do not exist. */
  showWorld: (name: string, online: readonly string[]) => void;
  hideWorld: (name: string) => void;
  /** Its answer for one character from now on. */
  failFor: (name: string, reply: Reply) => void;
  /** The answer for every name from now on; null: proper answers again. */
  failWith: (reply: Reply | null) => void;
  close: () => void;
}

const information = (status: object): object => ({
  api: { version: 4, release: '4.8.0', commit: 'e0b6b3c' },
  timestamp: '2026-11-21T18:00:00Z',
  tibia_urls: ['https://www.tibia.com/community/?subtopic=characters&name=Bubble'],
  status,
});

const characterAnswer = ({ name, guild = {}, ...rest }: Profile): object => ({
  character: {
    character: {
      name,
      sex: 'male',
      title: 'None',
      unlocked_titles: 4,
      vocation: 'Elite Knight',
      level: 412,
      achievement_points: 190,
      world: 'Antica',
      residence: 'Thais',
      guild,
      last_login: '2026-11-20T21:04:11Z',
      account_status: 'Premium Account',
      ...rest,
    },
    deaths_truncated: false,
    account_information: {},
  },
  information: information({ http_code: 200 }),
});

export const errorAnswer = (http_code: number, error: number, message: string): object => ({
  information: { ...information({ http_code, error, message }), tibia_urls: [] },
});

/** The documented answer for a world. */
const worldAnswer = (name: string, online: readonly string[]): object => ({
  world: {
    name,
    status: 'online',
    players_online: online.length,
    record_players: 1_211,
    location: 'Europe',
    pvp_type: 'Open PvP',
    online_players: online.map((each) => ({ name: each, level: 412, vocation: 'Elite Knight' })),
  },
  information: information({ http_code: 200 }),
});

/** Replies with JSON. */
export const json =
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  (res) => {
    res
      .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));
  };

export const MAINTENANCE = json(502, errorAnswer(502, 20_005, 'maintenance mode active'));
export const RATE_LIMITED = json(502, errorAnswer(502, 20_006, 'request has been throttled'));
export const GARBAGE: Reply = (res) =>
  res.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Bad gateway</html>');
export const HANG_UP: Reply = (res) => res.socket?.destroy();

/** A local server that answers as the game's data source does; for browser tests, too. */
export async function serveGameData(): Promise<GameData> {
  const profiles = new Map<string, Reply>();
  const worlds = new Map<string, Reply>();
  const requests: string[] = [];
  let failure: Reply | null = null;
  const server: Server = createServer((req, res) => {
    const [, what, name] = /^\/v4\/(character|world)\/([^/?]+)$/.exec(req.url ?? '') ?? [];
    if (name === undefined) return res.writeHead(404).end();
    requests.push(decodeURIComponent(name));
    if (failure) return failure(res);
    if (what === 'world')
      return (worlds.get(name) ?? json(400, errorAnswer(400, 11_002, 'world does not exist')))(res);
    const reply = profiles.get(decodeURIComponent(name).toLowerCase());
    return (reply ?? json(502, errorAnswer(502, 20_001, 'could not find character')))(res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`,
    requests,
    show: ({ former_name, ...profile }, headers) =>
      profiles.set(
        (former_name ?? profile.name).toLowerCase(),
        json(200, characterAnswer(profile), headers),
      ),
    failFor: (name, reply) => profiles.set(name.toLowerCase(), reply),
    showWorld: (name, online) => worlds.set(name, json(200, worldAnswer(name, online))),
    hideWorld: (name) => void worlds.delete(name),
    failWith: (reply) => {
      failure = reply;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
