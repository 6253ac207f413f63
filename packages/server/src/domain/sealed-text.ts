import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Failure } from './failure.ts';

// Text that is stored encrypted: AES-256-GCM with a random nonce. The key is derived from the secret of the installation, a
// different one for each column, and the table, column and row are authenticated, so that a value cannot be moved elsewhere.

const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 8;
const CIPHER = 'aes-256-gcm';

/** A placeholder such as 000…0 has far fewer different bytes than this, and 32 random bytes practically never have. */
const DIFFERENT_BYTES_MIN = 16;

const SEALED = /^sealed:1:([0-9a-f]{16}):([A-Za-z0-9_-]+)$/;

export const SECRET_FORM = '32 random bytes in hex or base64url, as `rollcall secret new` prints them';

/** Where a sealed text is stored. It cannot be opened anywhere else. */
export interface SealedPlace {
  table: string;
  column: string;
  /** The primary key of the row. */
  row: string | number;
}

/** The secret of an installation. It is never stored in the database and never shown except when it is made. */
export class InstallationSecret {
  /** Derived from the secret and stored with what it has sealed. It tells secrets apart and reveals nothing about them. */
  readonly id: string;
  readonly #bytes: Buffer;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.id = this.#derive('id', ID_BYTES).toString('hex');
  }

  static generate(): InstallationSecret {
    return new InstallationSecret(randomBytes(SECRET_BYTES));
  }

  /** Returns `undefined` if the text is not in the form of a secret. */
  static parse(text: string): InstallationSecret | undefined {
    const encoding = /^[0-9a-fA-F]{64}$/.test(text) ? 'hex' : 'base64url';
    const bytes = Buffer.from(text, encoding);
    if (bytes.length !== SECRET_BYTES || new Set(bytes).size < DIFFERENT_BYTES_MIN) return undefined;
    // Node ignores characters that do not belong to the encoding.
    return bytes.toString(encoding) === (encoding === 'hex' ? text.toLowerCase() : text)
      ? new InstallationSecret(bytes)
      : undefined;
  }

  /** The secret itself, for the file in which it is kept and for `rollcall secret new`. */
  reveal(): string {
    return this.#bytes.toString('base64url');
  }

  seal(place: SealedPlace, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keyOf(place), nonce).setAAD(nameOf(place));
    const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return `sealed:1:${this.id}:${Buffer.concat(parts).toString('base64url')}`;
  }

  /** Opens a text that this secret has sealed for this place. */
  open(place: SealedPlace, sealed: string): string {
    const bytes = Buffer.from(SEALED.exec(sealed)?.[2] ?? '', 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) throw damaged(place);
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#keyOf(place), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(nameOf(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    } catch (error) {
      throw damaged(place, error);
    }
  }

  /** A signature that only this secret can make, in 43 characters. */
  sign(purpose: string, text: string): string {
    return createHmac('sha256', this.#derive(`signature of ${purpose}`, 32))
      .update(text)
      .digest('base64url');
  }

  #keyOf({ table, column }: SealedPlace): Buffer {
    return this.#derive(`key of ${table}.${column}`, 32);
  }

  #derive(purpose: string, bytes: number): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#bytes, '', `rollcall ${purpose}`, bytes));
  }
}

/** The id of the secret that has sealed the text, or `undefined` if the text is not sealed. */
export function sealedBy(text: string): string | undefined {
  return SEALED.exec(text)?.[1];
}

function nameOf({ table, column, row }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([table, column, String(row)]));
}

function damaged({ table, column, row }: SealedPlace, cause?: unknown): Failure {
  return new Failure('conflict', `The encrypted text in ${table}.${column} of row ${row} is damaged.`, { cause });
}
