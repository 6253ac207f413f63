import { parseCookie, stringifySetCookie } from 'cookie';
import { SESSION_MAX_MS } from '../../domain/members/session.ts';

/** Browsers keep a cookie for no longer than this. */
const DEVICE_NOTE_SECONDS = 400 * 24 * 3600;

/** How long somebody may take at the sign-in service, and then for the second factor. */
const PROVIDER_SECONDS = 600;
const PENDING_SECONDS = 300;

/** A cookie of the dashboard. Scripts cannot read it, and forms of other sites do not send it. */
export class Cookie {
  readonly #name: string;
  readonly #secure: boolean;
  readonly #seconds: number;

  /** Over HTTPS, the prefix of the name makes browsers insist on `Secure`, on this host and on the path `/`. */
  constructor(name: string, { secure, seconds }: { secure: boolean; seconds: number }) {
    this.#secure = secure;
    this.#name = secure ? `__Host-${name}` : name;
    this.#seconds = seconds;
  }

  /** The value in a `Cookie` header, if there is one. */
  read(header: string | undefined): string | undefined {
    return header === undefined ? undefined : parseCookie(header)[this.#name];
  }

  /** The `Set-Cookie` header that stores the value, or that removes the cookie when there is none. */
  toHeader(value: string | undefined): string {
    return stringifySetCookie({
      name: this.#name,
      value: value ?? '',
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#secure,
      ...(value === undefined ? { maxAge: 0, expires: new Date(0) } : { maxAge: this.#seconds }),
    });
  }
}

export interface Cookies {
  /** Carries the token of a session. */
  session: Cookie;
  /** Shows that the browser has signed in before. It stays when its user signs out. */
  device: Cookie;
  /** What the browser brings back from a sign-in service. */
  provider: Cookie;
  /** Shows that the sign-in service has named somebody, who still has to choose an account or to show a second factor. */
  pending: Cookie;
}

export function openCookies({ secure }: { secure: boolean }): Cookies {
  return {
    session: new Cookie('rollcall_session', { secure, seconds: SESSION_MAX_MS / 1000 }),
    device: new Cookie('rollcall_device', { secure, seconds: DEVICE_NOTE_SECONDS }),
    provider: new Cookie('rollcall_provider', { secure, seconds: PROVIDER_SECONDS }),
    pending: new Cookie('rollcall_pending', { secure, seconds: PENDING_SECONDS }),
  };
}
