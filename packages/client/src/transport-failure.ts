/** Error codes for a bad certificate, or for a port that does not use TLS. A retry cannot fix either. */
const TLS_FAILURE =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|ERR_SSL_WRONG_VERSION_|ERR_SSL_PACKET_LENGTH_)/;

/** The shortest description of why a `fetch` failed. */
export function describeFailure(error: unknown): string {
  const root = innermost(error);
  return root instanceof Error ? root.message || codeOf(root) || root.name : String(root);
}

/** Whether TLS failed, which a retry does not fix. Only Node, Deno and Bun report this. */
export function isTlsFailure(error: unknown): boolean {
  return TLS_FAILURE.test(codeOf(innermost(error)));
}

/** Most platforms say only "fetch failed" and put the actual error into the cause. */
function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
