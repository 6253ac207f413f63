/** The command was used wrongly. */
export class UsageError extends Error {}
