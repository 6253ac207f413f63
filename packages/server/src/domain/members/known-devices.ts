import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type InstallationSecrets, type SealedState, SecretUnavailable } from '../installation-secrets.ts';

/** How many emails a device is remembered for. The one that signed in the longest ago is forgotten first. */
const EMAILS_MAX = 8;

/** An id and, for each email, a signature. The emails themselves are not part of it. */
const NOTE = /^[\w-]{22}(\.[\w-]{43}){1,8}$/;

export interface KnownDevicesDeps {
  secrets: InstallationSecrets;
  sealed: SealedState;
}

/**
 * Recognises a device that has signed in with an email before, by a note that its browser keeps. The note is signed with the
 * secret of the installation, so nothing is stored here.
 */
export class KnownDevices {
  readonly #deps: KnownDevicesDeps;

  constructor(deps: KnownDevicesDeps) {
    this.#deps = deps;
  }

  /** The id of the device, if it has signed in with this email before. */
  async find(note: string | undefined, emailFolded: string): Promise<string | undefined> {
    const [id, ...signatures] = partsOf(note);
    const expected = id === undefined ? undefined : await this.#sign(id, emailFolded);
    if (expected === undefined) return undefined;
    return signatures.some((signature) => isSame(signature, expected)) ? id : undefined;
  }

  /** The new note of a device that has signed in with this email. */
  async remember(note: string | undefined, emailFolded: string): Promise<string | undefined> {
    const [id = randomBytes(16).toString('base64url'), ...signatures] = partsOf(note);
    const signature = await this.#sign(id, emailFolded);
    if (signature === undefined) return undefined;
    const others = signatures.filter((each) => each !== signature);
    return [id, signature, ...others.slice(0, EMAILS_MAX - 1)].join('.');
  }

  /** Returns `undefined` if the installation has no secret yet, or this process does not have it: nobody needs a note. */
  async #sign(id: string, emailFolded: string): Promise<string | undefined> {
    const secretId = await this.#deps.sealed.secretId();
    if (secretId === null) return undefined;
    try {
      return this.#deps.secrets.byId(secretId).sign('known devices', JSON.stringify([id, emailFolded]));
    } catch (error) {
      if (error instanceof SecretUnavailable) return undefined;
      throw error;
    }
  }
}

function partsOf(note: string | undefined): string[] {
  return note !== undefined && NOTE.test(note) ? note.split('.') : [];
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
