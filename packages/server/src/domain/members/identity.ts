/** Who somebody is, as the sign-in service of a firm says. */
export interface Identity {
  issuer: string;
  /** The name that the service has given to the person. It never changes, unlike the email. */
  subject: string;
  /** Only if the service has verified it. */
  email: string | undefined;
}

/** The sign-in service of a firm. */
export interface IdentityProvider {
  /** For the button: the host of the service. */
  name: string;
  /** Where to send the browser, and what it has to bring back. */
  begin(redirectUrl: string): Promise<{ url: string; memo: string }>;
  /** Returns `undefined` if the answer is not one to the question that the memo belongs to, or the person has declined. */
  finish(redirectUrl: string, callbackQuery: string, memo: string): Promise<Identity | undefined>;
}

/** The member whom an identity belongs to. */
export interface IdentityOwner {
  accountId: number;
  memberId: number;
}

export interface Identities {
  /** The members whom the identity belongs to: at most one of each account. */
  find(identity: Identity): Promise<IdentityOwner[]>;
  /** Since when an identity of this service belongs to the member, be it this or another one. */
  linkedAt(member: IdentityOwner, issuer: string): Promise<number | undefined>;
}

/** Changes to identities within a change to an account. */
export interface IdentityChanges {
  /** Returns false if the account has the identity already, or the member another one of the same service. */
  add(memberId: number, identity: Identity): Promise<boolean>;
}
