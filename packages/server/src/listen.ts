import type { AddressInfo } from 'node:net';
import { type Config, ConfigError, type ListenerName } from './config.ts';
import type { HttpServer } from './http/server.ts';

/**
 * The dashboard is reached by the name `localhost`, because passkeys need a name. Browsers may take either address for it, and
 * nobody else should listen on the other one.
 */
const OTHER_LOOPBACK: Readonly<Record<string, string>> = { '127.0.0.1': '::1', '::1': '127.0.0.1' };

interface Listener {
  name: ListenerName;
  /** Called again for each address on which it listens. */
  open(): Promise<HttpServer>;
  /** Told about every server, also if it then cannot listen. */
  onOpened(server: HttpServer): void;
}

/** Returns the address under which callers reach the listener. */
export async function startListening({ name, open, onOpened }: Listener, config: Config): Promise<string> {
  const server = await open();
  onOpened(server);
  const address = await listen(server, name, config);
  const publicUrl = config.publicUrls[name];
  if (publicUrl) return publicUrl;
  const otherHost = name === 'dashboard' ? OTHER_LOOPBACK[config.host] : undefined;
  if (!otherHost) return address;
  const { port } = server.server.address() as AddressInfo;
  const other = await listenAlso(open, { host: otherHost, port }, config.ports.dashboard);
  if (typeof other === 'object') onOpened(other);
  return other === 'taken' ? address : `http://localhost:${port}`;
}

/**
 * A machine may have only one of the two addresses. If somebody else listens on the other one, browsers could take them for us.
 * Then the service does not start, or, on a port that nobody has chosen, does not use the name.
 */
async function listenAlso(
  open: () => Promise<HttpServer>,
  place: { host: string; port: number },
  chosenPort: number,
): Promise<HttpServer | 'missing' | 'taken'> {
  const server = await open();
  try {
    await server.listen(place);
    return server;
  } catch (error) {
    await server.close();
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code)) return 'missing';
    if (code !== 'EADDRINUSE') throw error;
    if (chosenPort === 0) return 'taken';
    throw new ConfigError(
      `Port ${place.port} on ${place.host} is already in use by another program; set ROLLCALL_DASHBOARD_PORT to a free one.`,
    );
  }
}

async function listen(server: HttpServer, name: ListenerName, { host, ports }: Config): Promise<string> {
  const variable = `ROLLCALL_${name.toUpperCase()}_PORT`;
  try {
    return await server.listen({ host, port: ports[name] });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new ConfigError(`Port ${ports[name]} on ${host} is already in use; set ${variable} to a free one.`);
    }
    if (code === 'EACCES') throw new ConfigError(`Port ${ports[name]} may not be used by this user; set ${variable}.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ConfigError(`ROLLCALL_HOST must be an address of this machine, not "${host}".`);
    }
    throw error;
  }
}
