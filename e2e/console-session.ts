import { Agent, request } from 'node:http';
import { onTestFinished } from 'vitest';

interface ConsoleAnswer {
  status: number;
  data: Record<string, unknown> | null;
}

/** A signed-in member who calls the console as the dashboard does, over a single connection. */
export class ConsoleSession {
  readonly #address: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** The session cookie. */
  cookie = '';
  /** The local port of the connection. */
  port = 0;

  private constructor(address: string) {
    this.#address = address;
    onTestFinished(() => this.#agent.destroy());
  }

  static async signIn(address: string, email: string, password: string): Promise<ConsoleSession> {
    const session = new ConsoleSession(address);
    const { status } = await session.send('POST', '/console/session', { email, password });
    if (status !== 200) throw new Error(`Signing in failed with ${status}.`);
    return session;
  }

  send(method: string, path: string, body?: unknown): Promise<ConsoleAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<ConsoleAnswer>();
    const headers = {
      origin: this.#address,
      cookie: this.cookie,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const sent = request(this.#address + path, { method, headers, agent: this.#agent }, (response) => {
      let text = '';
      this.port = response.socket.localPort ?? 0;
      this.cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? this.cookie;
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, data: JSON.parse(text).data }));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }
}
