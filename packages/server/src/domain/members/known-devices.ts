import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type InstallationSecrets, type SealedState, SecretUnavailable } from '../installation-secrets.ts';
import { fold } from '../text.ts';
import type { Member } from './member.ts';

/** How many members a device is remembered for. The one who signed in the longest ago is forgotten first. */
const MEMBERS_MAX = 8;

/** An id and, for each member, a signature. Who they are is not part of it. */
const NOTE = /^[\w-]{22}(\.[\w-]{43}){1,8}$/;

type DeviceOwner = Pick<Member, 'accountId' | 'email'>;

export interface KnownDevicesDeps {
  secrets: InstallationSecrets;
  sealed: SealedState;
}

/**
 * Recognises a device with which a member has signed in before, by a note that its browser keeps. The note is signed with the
 * secret of the installation, so nothing is stored here. It is for one account: whoever gives the email of somebody else to a
 * member of their own account must not be taken for that person.
 */
export class KnownDevices {
  readonly #deps: KnownDevicesDeps;

  constructor(deps: KnownDevicesDeps) {
    this.#deps = deps;
  }

  /** The id of the device, if this member has signed in with it before. */
  async find(note: string | undefined, member: DeviceOwner): Promise<string | undefined> {
    const [id, ...signatures] = partsOf(note);
    const expected = id === undefined ? undefined : await this.#sign(id, member);
    if (expected === undefined) return undefined;
    return signatures.some((signature) => isSame(signature, expected)) ? id : undefined;
  }

  /** The new note of a device with which this member has signed in. */
  async remember(note: string | undefined, member: DeviceOwner): Promise<string | undefined> {
    const [id = randomBytes(16).toString('base64url'), ...signatures] = partsOf(note);
    const signature = await this.#sign(id, member);
    if (signature === undefined) return undefined;
    const others = signatures.filter((each) => each !== signature);
    return [id, signature, ...others.slice(0, MEMBERS_MAX - 1)].join('.');
  }

  /** Returns `undefined` if the installation has no secret yet, or this process does not have it: nobody needs a note. */
  async #sign(id: string, { accountId, email }: DeviceOwner): Promise<string | undefined> {
    const secretId = await this.#deps.sealed.secretId();
    if (secretId === null) return undefined;
    try {
      return this.#deps.secrets.byId(secretId).sign('known devices', JSON.stringify([id, accountId, fold(email)]));
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
