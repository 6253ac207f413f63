import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

export interface AuthenticatorOptions {
  origin: string;
  rpId?: string;
  /** Whether it has checked the finger, face or PIN of its user. */
  verifies?: boolean;
  /** What it says about who has made it, which nobody has asked for. */
  statement?: { format: string; entries: Map<string, CborValue> };
}

/** An authenticator with one passkey, as a security key or a password manager would be. */
export class TestAuthenticator {
  readonly id = randomBytes(16).toString('base64url');
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  counter = 0;

  get publicKey(): KeyObject {
    return this.#keys.publicKey;
  }

  constructor() {
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** The answer to the offer to add a passkey. */
  make(challenge: string, { origin, rpId = 'localhost', verifies = true, statement }: AuthenticatorOptions) {
    const credentialId = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(credentialId.length);
    const data = Buffer.concat([
      this.#data(rpId, HAS_KEY | (verifies ? VERIFIED : 0)),
      Buffer.alloc(16),
      length,
      credentialId,
      this.#publicKey(),
    ]);
    const attestation = cbor(
      new Map<string, CborValue>([
        ['fmt', statement?.format ?? 'none'],
        ['attStmt', statement?.entries ?? new Map()],
        ['authData', data],
      ]),
    );
    return {
      id: this.id,
      client_data: clientData('webauthn.create', challenge, origin),
      attestation: attestation.toString('base64url'),
    };
  }

  /** The answer to a request to use the passkey. */
  use(challenge: string, { origin, rpId = 'localhost', verifies = true }: AuthenticatorOptions) {
    const data = this.#data(rpId, verifies ? VERIFIED : 0);
    const client = clientData('webauthn.get', challenge, origin);
    const hash = createHash('sha256').update(Buffer.from(client, 'base64url')).digest();
    return {
      id: this.id,
      client_data: client,
      authenticator_data: data.toString('base64url'),
      signature: sign('sha256', Buffer.concat([data, hash]), this.#keys.privateKey).toString('base64url'),
    };
  }

  #data(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([PRESENT | flags]), counter]);
  }

  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    return cbor(
      new Map<number, CborValue>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
  }
}

/** What certificates of a new passkey have to contain. */
export function newClientDataHash(challenge: string, origin: string): Buffer {
  const data = clientData('webauthn.create', challenge, origin);
  return createHash('sha256').update(Buffer.from(data, 'base64url')).digest();
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
}

export type CborValue = number | string | Buffer | CborValue[] | Map<number | string, CborValue>;

/** As much of CBOR (RFC 8949) as authenticators need. */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  const entries = [...value].flatMap(([key, each]) => [cbor(key), cbor(each)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
