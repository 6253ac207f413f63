import { type Static, Type } from 'typebox';
import {
  NETWORK_MAX_LENGTH,
  NETWORKS_MAX,
  NOTE_MAX_LENGTH,
  OVERLAP_MAX_SECONDS,
  RATE_LIMIT_MAX_LENGTH,
} from '../../../domain/credentials/key-bounds.ts';
import { LISTING_KINDS } from '../../../domain/credentials/listing-kinds.ts';
import { SCOPES } from '../../../domain/credentials/scope.ts';
import { Form, Name, Nullable, Time } from '../fields.ts';

export {
  IDLE_AFTER_DAYS,
  LISTINGS_SHOWN,
  NETWORKS_MAX,
  NOTE_MAX_LENGTH,
  OVERLAP_DEFAULT_SECONDS,
  OVERLAP_MAX_SECONDS,
  USAGE_HOURS,
} from '../../../domain/credentials/key-bounds.ts';
export { RATE_LIMIT_FORM } from '../../../domain/credentials/rate-limit.ts';
export { DEFAULT_SCOPES, SCOPES, type Scope } from '../../../domain/credentials/scope.ts';

const Scopes = Type.Array(Type.Enum([...SCOPES]), { maxItems: SCOPES.length });
const Note = Type.String({ maxLength: NOTE_MAX_LENGTH });

/** Addresses and networks, such as `10.0.0.0/8`. An empty list means that the key may be used from anywhere. */
const Networks = Type.Array(Type.String({ minLength: 1, maxLength: NETWORK_MAX_LENGTH }), { maxItems: NETWORKS_MAX });

/** Such as `500/s,1000`; `0` for no limit, and null for the limit that all keys have. */
const RateLimit = Nullable(Type.String({ minLength: 1, maxLength: RATE_LIMIT_MAX_LENGTH }));

const settings = {
  note: Type.Optional(Note),
  allowed_networks: Type.Optional(Networks),
  expires_at: Type.Optional(Nullable(Time)),
  rate_limit: Type.Optional(RateLimit),
};

export const CreateKeyForm = Form({ name: Name, scopes: Type.Optional(Scopes), ...settings });

/** Fields that are left out stay as they are. */
export const UpdateKeyForm = Form({ name: Type.Optional(Name), ...settings });

/** How long the old secret still works. */
export const RollKeyForm = Form({
  overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: OVERLAP_MAX_SECONDS })),
});

/** A key is `rolling` as long as a secret that was replaced still works. */
const KEY_STATES = ['active', 'rolling', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** The limit of the keys that have none of their own, such as `100/s,200`; `0` for no limit. */
const DefaultRateLimit = Type.String();

const keyFields = {
  key_id: Type.String(),
  name: Type.String(),
  /** Where the key stands by the clock of the service; that of a browser may be wrong. */
  state: Type.Enum([...KEY_STATES]),
  note: Type.String(),
  /** The preview of the current secret. */
  preview: Type.String(),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  allowed_networks: Type.Array(Type.String()),
  rate_limit: Nullable(Type.String()),
  created_at: Time,
  created_by: Nullable(Type.String()),
  last_used_at: Nullable(Time),
  last_used_from: Nullable(Type.String()),
  recent_calls: Type.Integer(),
  /** Valid, but neither used nor created within the last 90 days. */
  idle: Type.Boolean(),
  expires_at: Nullable(Time),
  revoked_at: Nullable(Time),
  /** When the secret that was replaced stops working; null if no such secret works any more. */
  old_secret_ends_at: Nullable(Time),
};

export const KeyRecord = Form(keyFields);
export type KeyRecord = Static<typeof KeyRecord>;

export const KeyList = Form({ keys: Type.Array(KeyRecord), default_rate_limit: DefaultRateLimit });
export type KeyList = Static<typeof KeyList>;

export const SecretRecord = Form({
  number: Type.Integer(),
  preview: Type.String(),
  created_at: Time,
  /** When it stopped working, or will stop; null for the current secret. */
  ends_at: Nullable(Time),
  /** Whether it works now, as long as the key itself does. */
  works: Type.Boolean(),
});
export type SecretRecord = Static<typeof SecretRecord>;

const ListingRecord = Form({
  /** In UTC, such as `2026-01-31`. */
  day: Type.String(),
  kind: Type.Enum([...LISTING_KINDS]),
  filter: Type.String(),
  calls: Type.Integer(),
});
export type ListingRecord = Static<typeof ListingRecord>;

/** One key with everything about it. */
export const KeyDetails = Form({
  ...keyFields,
  default_rate_limit: DefaultRateLimit,
  /** Newest first; the first one is the current secret. */
  secrets: Type.Array(SecretRecord),
  /** The calls in each of the last 720 hours, the current hour last. */
  calls_per_hour: Type.Array(Type.Integer()),
  /** When the current hour began. */
  last_hour_at: Time,
  /** What it has requested last, by day and filter. An empty filter means all clients. */
  listings: Type.Array(ListingRecord),
});
export type KeyDetails = Static<typeof KeyDetails>;

/** The API key itself is sent only this once. */
export const CreatedKey = Form({ key_id: Type.String(), name: Type.String(), api_key: Type.String() });
export type CreatedKey = Static<typeof CreatedKey>;

/** The new secret is sent only this once. */
export const RolledKey = Form({
  key_id: Type.String(),
  name: Type.String(),
  api_key: Type.String(),
  /** When the old secret stops working; null if it has already stopped. */
  old_secret_ends_at: Nullable(Time),
  /** The preview of an even older secret that still worked and was ended at once, because at most two work at a time. */
  ended_preview: Nullable(Type.String()),
});
export type RolledKey = Static<typeof RolledKey>;
