import type { HttpServer } from '../http/server.ts';
import { whenFinished } from './when-finished.ts';

/** Listens on any port until the test is over. Then connections are not waited for: a test may leave some that nobody reads. */
export function listenAnywhere(app: HttpServer): Promise<string> {
  whenFinished(() => {
    const closed = app.close();
    app.server.closeAllConnections();
    return closed;
  });
  return app.listen({ host: '127.0.0.1', port: 0 });
}
