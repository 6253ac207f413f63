/** The account that a page was loaded for. A request with another one than that of the session is refused with 412. */
export const ACCOUNT_HEADER = 'x-rollcall-account';
