import { parseCookie, stringifySetCookie } from 'cookie';
import { SESSION_MAX_MS } from '../../domain/members/session.ts';

/** The cookie that carries the token of a session. Scripts cannot read it, and forms of other sites do not send it. */
export class SessionCookie {
  readonly #name: string;
  readonly #secure: boolean;

  /** Over HTTPS, the prefix of the name makes browsers insist on `Secure`, on this host and on the path `/`. */
  constructor({ secure }: { secure: boolean }) {
    this.#secure = secure;
    this.#name = secure ? '__Host-rollcall_session' : 'rollcall_session';
  }

  /** The token in a `Cookie` header, if there is one. */
  read(header: string | undefined): string | undefined {
    return header === undefined ? undefined : parseCookie(header)[this.#name];
  }

  /** The `Set-Cookie` header that stores the token, or that removes the cookie when there is none. */
  toHeader(token: string | undefined): string {
    return stringifySetCookie({
      name: this.#name,
      value: token ?? '',
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#secure,
      ...(token === undefined ? { maxAge: 0, expires: new Date(0) } : { maxAge: SESSION_MAX_MS / 1000 }),
    });
  }
}
