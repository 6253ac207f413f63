import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_MAX_MS } from '../../domain/members/session.ts';

/** The cookie that carries a session's token: unreadable for scripts, not sent by other sites' forms. */
export class SessionCookie {
  readonly #name: string;
  readonly #secure: boolean;

  /** Over HTTPS the name's prefix makes browsers insist on `Secure`, this host and the whole site. */
  constructor({ secure }: { secure: boolean }) {
    this.#secure = secure;
    this.#name = secure ? '__Host-rollcall_session' : 'rollcall_session';
  }

  read(request: FastifyRequest): string | undefined {
    return request.cookies[this.#name];
  }

  set(reply: FastifyReply, token: string | undefined): void {
    const flags = { path: '/', httpOnly: true, sameSite: 'lax', secure: this.#secure } as const;
    if (token === undefined) reply.clearCookie(this.#name, flags);
    else reply.setCookie(this.#name, token, { ...flags, maxAge: SESSION_MAX_MS / 1000 });
  }
}
