import { openApi } from './api/app.ts';
import { PageCache } from './api/page-cache.ts';
import { type Config, ConfigError, type ListenerName } from './config.ts';
import { openConsole } from './console/app.ts';
import { EndedKeysMirror } from './domain/ended-keys.ts';
import { KeyRing } from './domain/signing-keys.ts';
import { TokenMemory } from './domain/token-memory.ts';
import { followChanges } from './follow-changes.ts';
import { type Lifecycle, stopServers } from './http/lifecycle.ts';
import { openLog } from './http/log.ts';
import type { HttpServer } from './http/server.ts';
import type { Store } from './store/open-store.ts';

export interface Service {
  /** Where each listener answers. */
  addresses: Partial<Record<ListenerName, string>>;
  /** Stops accepting, finishes what is in flight, and gives the store back unclosed. */
  stop(): Promise<void>;
}

/** Wires everything together: the one place that knows all parts. */
export async function startService(config: Config, store: Store, only: readonly ListenerName[]): Promise<Service> {
  const { logger, closeLog } = openLog(config.logLevel);
  const clock = { now: () => Date.now() };
  const ttlSeconds = config.tokenTtlSeconds;
  const signingKeys = await KeyRing.open({ signingKeys: store.signingKeys, clock });
  const endedKeys = new EndedKeysMirror({ keys: store.keys, clock, ttlSeconds });
  await endedKeys.load();
  const forgetChanges = followChanges(store.onChange, [endedKeys, signingKeys], logger);

  const { keys, clients, versions, ping } = store;
  const pageCache = new PageCache(config.pageCacheBytes);
  const lifecycle: Lifecycle = { stopping: false };
  const deps = { lifecycle, clock, ttlSeconds, signingKeys, endedKeys, keys, clients, versions, pageCache, ping };
  const addresses: Service['addresses'] = {};
  const servers: HttpServer[] = [];
  const stop = async () => {
    await stopServers(servers, lifecycle);
    await forgetChanges();
    closeLog();
  };

  try {
    for (const name of only) {
      const child = logger.child({ listener: name });
      const server =
        name === 'dashboard'
          ? openConsole({ ...deps, logger: child, addresses })
          : await openApi({ ...deps, logger: child, environment: name, tokens: new TokenMemory(deps, name) });
      servers.push(server);
      addresses[name] = await listen(server, name, config);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { addresses, stop };
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
