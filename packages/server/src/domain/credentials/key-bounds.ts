// The bounds of what a person may enter for an API key. The browser loads this file, too.

export const NOTE_MAX_LENGTH = 500;

/** Every network is compared with the caller's address on every call, so a list must stay short. */
export const NETWORKS_MAX = 100;

/** The longest text of a network: an IPv6 address with an IPv4 address at its end, and the number of bits. */
export const NETWORK_MAX_LENGTH = 49;

export const RATE_LIMIT_MAX_LENGTH = 30;

/** How long the old secret works after a key was rolled: long enough to deploy the new one everywhere. */
export const OVERLAP_DEFAULT_SECONDS = 86_400;
export const OVERLAP_MAX_SECONDS = 30 * 86_400;

/** Calls are kept and shown for this many hours (30 days), the current one included. */
export const USAGE_HOURS = 720;

/** The calls of all keys together are shown for this many hours: two weeks, and a day that has already begun somewhere. */
export const RECENT_HOURS = 15 * 24;

/** How many rows of what a key has asked for the dashboard shows. The command line shows all of them. */
export const LISTINGS_SHOWN = 50;

/** A key that was not used for so long is probably not needed any more. */
export const IDLE_AFTER_DAYS = 90;

/**
 * How many keys a workspace may have, revoked ones included. Every process holds all of them in memory, and the dashboard
 * shows them in one list.
 */
export const KEYS_MAX = 1000;
