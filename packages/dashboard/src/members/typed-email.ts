let typed = '';

/** The email that was typed last on a page for signing in, so that it is there on the next one. It is only in memory. */
export function typedEmail(): string {
  return typed;
}

export function rememberTypedEmail(email: string): void {
  typed = email;
}
