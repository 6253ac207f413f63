import { Failure } from './failure.ts';
import { type InstallationSecret, type SealedPlace, sealedBy } from './sealed-text.ts';

/** Where the secrets of an installation come from: the settings, or a file beside the database. */
export interface SecretSource {
  /** Where an operator provides the secret with this id, for messages. */
  placeFor(id: string): string;
  /** Reads the secrets. The first one is for a database that has none yet; another one may be there during a rotation. */
  read(): InstallationSecret[];
  /** Makes the first secret, or fails with what the operator has to do. Of several processes, all get the same one. */
  make(): InstallationSecret;
  /** The secret to which a rotation changes. */
  next(): InstallationSecret;
  /** Completes a rotation to the secret with this id, which the database uses now. */
  complete(id: string): void;
  /** A former secret that was kept when it was rotated, for older backups and for databases that still use it. */
  kept(id: string): KeptSecret | undefined;
}

export interface KeptSecret {
  secret: InstallationSecret;
  file: string;
}

/** The secret with which the database was encrypted is not among those that this process has. */
export class SecretUnavailable extends Failure {}

/** The secrets that this process has. The id that is stored in the database decides which of them is used. */
export class InstallationSecrets {
  readonly #source: SecretSource;
  readonly #known = new Map<string, InstallationSecret>();

  constructor(source: SecretSource) {
    this.#source = source;
  }

  /** The secret for a database that has none yet. */
  first(): InstallationSecret {
    return this.#source.read()[0] ?? this.#source.make();
  }

  next(): InstallationSecret {
    return this.#source.next();
  }

  complete(id: string): void {
    this.#source.complete(id);
  }

  /** The file in which this former secret is kept, if it is kept in one. */
  keptIn(id: string): string | undefined {
    return this.#source.kept(id)?.file;
  }

  /** Whether there is no secret at all. */
  get isMissing(): boolean {
    return this.#source.read().length === 0;
  }

  placeFor(id: string): string {
    return this.#source.placeFor(id);
  }

  /** Reads the source again before it fails, because the secret may have been rotated since this process started. */
  byId(id: string): InstallationSecret {
    if (!this.#known.has(id)) for (const secret of this.#source.read()) this.#known.set(secret.id, secret);
    const secret = this.#known.get(id) ?? this.#source.kept(id)?.secret;
    if (secret) {
      this.#known.set(id, secret);
      return secret;
    }
    throw new SecretUnavailable(
      'conflict',
      `The signing keys and second factors in this database were encrypted with another secret (its id is ${id}). Provide that secret in ${this.#source.placeFor(id)}, or, if it is lost, run \`rollcall secret reset\`.`,
    );
  }

  open(place: SealedPlace, sealed: string): string {
    return this.byId(sealedBy(sealed) ?? 'unknown').open(place, sealed);
  }
}

/** A value of an encrypted column as it is stored. */
export interface SealedValue {
  place: SealedPlace;
  /** In a database from before encryption that no service has been started on since, it is not sealed. */
  text: string;
}

/** What is known about encryption without a lock. */
export interface SealedState {
  /** The id of the secret that all encrypted columns are sealed with, or null before the first start of a service. */
  secretId(): Promise<string | null>;
  /** Removes from the files of the database what was stored there before it was encrypted. Does so once in the life of a database. */
  removeRemains(): Promise<void>;
}

export interface SigningDeps {
  secrets: InstallationSecrets;
  sealed: SealedState;
}

/** The secret of the database, which signs what a browser keeps for us. Every started service has one. */
export async function currentSecret({ secrets, sealed }: SigningDeps): Promise<InstallationSecret> {
  const id = await sealed.secretId();
  if (id === null)
    throw new SecretUnavailable('conflict', 'The installation has no secret yet. Start the service once.');
  return secrets.byId(id);
}

/** Changes to encrypted columns, within a change to the installation. Every sealed text is written under its lock. */
export interface SealedChanges {
  secretId(): Promise<string | null>;
  setSecretId(id: string): Promise<void>;
  /** All values of all encrypted columns. */
  all(): Promise<SealedValue[]>;
  /** Replaces a value, unless it has been changed or deleted since it was read. */
  replace(value: SealedValue, text: string): Promise<void>;
}

/**
 * The secret that new values are sealed with: that of the database. A process with an outdated secret therefore cannot write
 * with it. A database without a secret gets the first one, and its values are sealed.
 */
export async function sealingSecret(secrets: InstallationSecrets, sealed: SealedChanges): Promise<InstallationSecret> {
  const id = await sealed.secretId();
  if (id !== null) return secrets.byId(id);
  const secret = secrets.first();
  for (const value of await sealed.all()) await sealed.replace(value, secret.seal(value.place, value.text));
  await sealed.setSecretId(secret.id);
  return secret;
}
